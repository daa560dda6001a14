// The page of one run, or of several side by side: DATA is a list of summaries.

const DATA = JSON.parse(document.getElementById('data').textContent);
const comparing = DATA.length > 1;
const LETTERS = 'ABCDEFGH';
const names = [...new Set(DATA.flatMap(run => run.variants.map(variant => variant.name)))];
const all = DATA.flatMap((run, index) => run.variants.map(variant => ({
  run, variant, index,
  name: comparing ? `${LETTERS[index]} · ${variant.name}` : variant.name,
  color: `var(--c${names.indexOf(variant.name) % 12})`,
  dash: index > 0 || names.indexOf(variant.name) >= 12,
})));
const unit = metric => DATA[0].metrics[metric] ?? '';
const page = document.getElementById('page');
const add = (...nodes) => page.append(...nodes.filter(Boolean));
const section = (title, note) => add(element('h2', {}, title), note ? element('p', {class: 'note'}, note) : null);
const badge = good => element('span', {class: good ? 'badge good' : 'badge bad'}, good ? 'pass' : 'fail');

function table(headings, rows) {
  const cell = (name, value) => {
    const numeric = typeof value === 'number' || value === null;
    const node = element(name, numeric ? {class: 'number'} : {});
    node.append(numeric ? number(value) : value);
    return node;
  };
  const numericColumn = headings.map((_, i) => rows.some(row => typeof row[i] === 'number'));
  const head = element('tr', {}, ...headings.map((heading, i) => element('th', numericColumn[i] ? {class: 'number'} : {}, heading)));
  const body = rows.map(row => element('tr', {}, ...row.map((value, i) => cell('td', numericColumn[i] && value === undefined ? null : value ?? ''))));
  return element('div', {class: 'scroll'}, element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
}

function groupBy(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...groups.get(key(item)) ?? [], item]);
  return groups;
}

const named = one => element('span', {style: 'white-space:nowrap;font-weight:550'}, swatch(one), one.name);

function header() {
  add(element('p', {class: 'eyebrow'}, comparing ? 'Kvorum load bench · comparison' : 'Kvorum load bench'));
  add(element('h1', {}, DATA[0].title + (comparing ? ', compared' : '')));
  add(element('p', {class: 'why'}, DATA[0].why));
  DATA.forEach((run, i) => {
    const machine = run.run.machine;
    add(element('p', {class: 'meta'}, badge(run.passed), comparing ? ` ${LETTERS[i]}: ` : ' ',
      `${run.scenario}, ${run.run.started.replace('T', ' ').replace('Z', ' UTC')}, commit ${machine.commit || 'unknown'}, `
      + `${machine.processors} × ${machine.processor}, ${number(Math.round(machine.memoryMiB / 1024))} GiB. `
      + `${run.rounds} round${run.rounds > 1 ? 's' : ''} of each variant, in turn; figures are medians over rounds. Load generator and nodes share this machine.`));
  });
}

function conclusions() {
  if (DATA.every(run => run.verdicts.length + run.failures.length === 0)) return;
  section('What was expected, and what came of it', 'Expectations are stated by the scenario and judged on the medians.');
  DATA.forEach((run, i) => {
    if (comparing) add(element('p', {class: 'meta'}, LETTERS[i]));
    add(table(['', 'expectation', 'measured', 'bound', ''],
      run.verdicts.map(verdict => [badge(verdict.passed), verdict.text, verdict.left, verdict.right, verdict.unit])
        .concat(run.failures.map(failure => [badge(false), failure, undefined, undefined, '']))));
  });
}

function variants() {
  section('What was compared');
  const keys = Object.keys(all[0].variant.configuration);
  const text = value => typeof value === 'object' ? Object.entries(value).map(([key, of]) => `${key}=${of}`).join(' ') || 'defaults' : String(value);
  const values = key => new Set(all.map(one => text(one.variant.configuration[key] ?? '')));
  const differing = keys.filter(key => values(key).size > 1);
  const common = keys.filter(key => !differing.includes(key) && text(all[0].variant.configuration[key]) !== '');
  add(table(['variant', 'what it is', ...differing], all.map(one => [named(one), one.variant.what, ...differing.map(key => text(one.variant.configuration[key] ?? ''))])));
  add(element('details', {}, element('summary', {}, 'The same for all'),
    element('dl', {}, ...common.flatMap(key => [element('dt', {}, key), element('dd', {}, text(all[0].variant.configuration[key]))]))));
}

const PERCENTILES = ['p50', 'p75', 'p90', 'p99', 'p99.9', 'p99.99', 'max'];
const COSTS = ['throughput', 'cpu', 'errors', 'refused', 'refused-p99', 'refusal-wait-mean', 'refusal-wait-max', 'patient-p99', 'patient-refused', 'patient-refused-p99', 'peer-connections', 'called-off', 'hedges', 'saturation', 'begun-share', 'goodput-share', 'recovery', 'gc-pauses', 'rss-max', 'rss-surge', 'native-max', 'rocksdb-max', 'threads-max', 'threads-surge', 'generator-cpu', 'lag-p99', 'rested', 'stolen'];
const GROWTHS = ['rss-growth', 'native-growth', 'heap-growth', 'threads-growth', 'descriptors-growth'];
const heading = metric => unit(metric) ? `${metric}, ${unit(metric).replace('us', 'µs')}` : metric;
const present = metrics => metrics.filter(metric => all.some(one => one.variant.medians[metric] !== undefined));

function figures() {
  section('Latency, in milliseconds', 'Of requests with the wanted answer, counted from the moment each was due: a stalled node cannot hide its stall. Medians over rounds.');
  add(table(['', ...PERCENTILES], all.map(one => [named(one), ...PERCENTILES.map(metric => one.variant.medians[metric] ?? null)])));
  section('Throughput and cost', 'CPU is user and system time of all node processes per request. Errors count every request that failed, timed out or was lost; refusals (503) are counted apart.');
  const costs = present(COSTS);
  add(table(['', ...costs.map(heading)], all.map(one => [named(one), ...costs.map(metric => one.variant.medians[metric] ?? null)])));
}

const OTHERWISE = ['refused', 'failed', 'lost', 'timed_out'];

function endings() {
  const sums = (one, of) => one.variant.rounds.flatMap(round => Object.entries(round.legs.at(-1)[of] || {}))
    .reduce((sum, [key, count]) => ({...sum, [key]: (sum[key] || 0) + count}), {});
  const rows = all.map(one => ({one, outcomes: sums(one, 'outcomes'), statuses: sums(one, 'statuses')}));
  if (!rows.some(row => OTHERWISE.some(kind => row.outcomes[kind]))) return;
  const statuses = [...new Set(rows.flatMap(row => Object.keys(row.statuses)))].sort();
  section('How requests ended', 'All rounds together. Refused: 503; failed: another status than was wanted; lost: with its connection; timed out: no answer in time. Then all answers by status.');
  add(table(['', 'done', ...OTHERWISE.map(kind => kind.replace('_', ' ')), ...statuses],
    rows.map(row => [named(row.one), ...['done', ...OTHERWISE].map(kind => row.outcomes[kind] || 0), ...statuses.map(status => row.statuses[status] || 0)])));
}

function differences() {
  if (!comparing) return;
  section('B against A', 'Each figure of B divided by that of A. Below 1 is better for latency and CPU, above 1 for throughput.');
  const metrics = present([...PERCENTILES, 'throughput', 'cpu', 'saturation']);
  const pairs = names.map(name => [all.find(one => one.index === 0 && one.variant.name === name), all.find(one => one.index === 1 && one.variant.name === name)]).filter(([a, b]) => a && b);
  add(table(['', ...metrics], pairs.map(([a, b]) => [a.variant.name, ...metrics.map(metric => {
    const before = a.variant.medians[metric], after = b.variant.medians[metric];
    return before && after !== undefined ? after / before : null;
  })])));
}

function legend() {
  if (all.length < 2) return;
  const bar = element('div', {class: 'legend', role: 'group', 'aria-label': 'Variants shown'});
  for (const one of all) {
    const button = element('button', {'aria-pressed': 'true', onclick: () => {
      hidden.has(one.name) ? hidden.delete(one.name) : hidden.add(one.name);
      button.setAttribute('aria-pressed', String(!hidden.has(one.name)));
      redrawAll();
    }}, swatch(one), one.name);
    bar.append(button);
  }
  add(bar);
}

const QUANTILES = [[1, '0 %'], [2, '50 %'], [10, '90 %'], [100, '99 %'], [1000, '99.9 %'], [1e4, '99.99 %'], [1e5, '99.999 %'], [1e6, '99.9999 %']].map(([at, label]) => ({at, label}));
const quantile = beyond => { const digits = Math.max(0, Math.ceil(Math.log10(beyond))); return (100 * (1 - 1 / beyond)).toFixed(Math.max(1, digits - 1)) + ' %'; };

function curves() {
  section('Latency by percentile', 'Both axes are logarithmic: each step to the right is ten times rarer. All rounds of a variant together; thin lines are single rounds.');
  legend();
  const rounds = one => one.variant.rounds.length < 2 ? [] : one.variant.rounds.map(round => ({...pick(one), thin: true, points: round.legs.at(-1).curve}));
  add(lineChart({
    title: 'Latency, ms', height: 420,
    x: {log: true, min: 1, tight: true, label: 'percentile', ticks: QUANTILES, tip: quantile},
    y: {log: true, unit: 'ms'},
    series: all.flatMap(one => [...(one.variant.rounds.some(round => round.fault !== undefined || round.legs.length > 1) ? [] : rounds(one)), {...pick(one), points: one.variant.curve}]),
  }));
  apart('operations', 'operation');
  apart('sizes', 'size of the value');
}

function apart(field, what) {
  const mixed = all.filter(one => Object.keys(one.variant[field] ?? {}).length > 1);
  if (mixed.length === 0) return;
  const rows = mixed.flatMap(one => Object.entries(one.variant[field]).map(([kind, of]) => [named(one), kind, of.count, ...PERCENTILES.map(metric => of.percentiles[metric] ?? null)]));
  add(element('p', {class: 'note'}, `Of mixed loads, by ${what} (all rounds together):`), table(['', what, 'requests', ...PERCENTILES], rows));
}

const pick = one => ({name: one.name, color: one.color, dash: one.dash});

function overTime() {
  section('Second by second', 'Latency of the requests that ended within each second.');
  const most = Math.max(...all.map(one => one.variant.rounds.length));
  const place = element('div');
  const choose = element('select', {onchange: () => fill(Number(choose.value))});
  for (let round = 1; round <= most; round++) choose.append(element('option', {value: round}, `round ${round}`));
  if (most > 1) add(choose);
  add(place);
  const fixed = redraws.length;
  function fill(round) {
    redraws.length = fixed;
    place.replaceChildren();
    const of = one => one.variant.rounds.find(next => next.round === round);
    const seconds = one => (of(one)?.legs ?? []).flatMap(leg => leg.series);
    const line = field => all.map(one => ({...pick(one), points: seconds(one).filter(second => second[field] !== undefined && second.s > 0.5).map(second => [second.t, second[field]])}));
    const marks = all.filter(one => of(one)?.fault !== undefined).map(one => of(one).fault).sort((a, b) => a - b).slice(-1).map(x => ({x: Math.max(0, x), label: 'fault'}))
      .concat(all.slice(0, 1).flatMap(one => (of(one)?.legs ?? []).length > 1 ? of(one).legs.map(leg => ({x: leg.series[0]?.t ?? 0, label: leg.name})) : []));
    const time = {label: 'seconds', tight: true};
    const chart = (title, field, y) => lineChart({title, x: time, y, series: line(field), marks});
    place.append(chart('p99, ms', 'p99', {log: true, unit: 'ms'}), element('div', {class: 'pair'}, chart('Median, ms', 'p50', {log: true, unit: 'ms'}), chart('p99.9, ms', 'p99.9', {log: true, unit: 'ms'})));
    place.append(chart('Requests with the wanted answer, per second', 'done', {min: 0, unit: '/s'}));
    for (const [field, title] of [['errors', 'Errors in each second'], ['refused', 'Refused (503) in each second']]) {
      if (all.some(one => seconds(one).some(second => second[field] > 0))) place.append(chart(title, field, {min: 0}));
      else place.append(element('p', {class: 'note'}, field === 'errors' ? 'No errors in this round.' : ''));
    }
    place.append(nodesOverTime(of, time));
    redrawAll();
  }
  fill(1);
}

function nodesOverTime(of, time) {
  const box = element('div');
  if (!all.some(one => of(one)?.samples.length > 0)) return box;
  box.append(element('h2', {}, 'What the nodes held'), element('p', {class: 'note'}, 'Sum over all nodes, sampled once a second (what they tell of themselves: every thirty).'));
  const sums = (one, field) => {
    const samples = (of(one)?.samples ?? []).filter(sample => sample[field] !== undefined);
    const nodes = new Set(samples.map(sample => sample.node)).size;
    const bySecond = groupBy(samples, sample => Math.floor(sample.t));
    return [...bySecond].filter(([, group]) => group.length === nodes).map(([second, group]) => [second, group.reduce((sum, sample) => sum + sample[field], 0)]);
  };
  const chart = (title, field, unit) => lineChart({title, height: 230, x: time, y: {min: 0, unit}, series: all.map(one => ({...pick(one), points: sums(one, field)}))});
  box.append(element('div', {class: 'pair'}, chart('Resident memory, MiB', 'rss', 'MiB'), chart('Java heap in use, MiB', 'heap', 'MiB'), chart('Native memory, MiB', 'native', 'MiB'), chart('Memtables and block cache of RocksDB, MiB', 'rocksdb', 'MiB'), chart('Threads', 'threads', ''), chart('File descriptors', 'descriptors', '')));
  return box;
}

function costs() {
  section('Processor time per request', 'Microseconds, user and system, of all node processes together; the bar is the median, the dots are rounds.');
  const bars = metric => all.map(one => ({...pick(one), value: one.variant.medians[metric], dots: one.variant.rounds.map(round => round.figures[metric]).filter(value => value !== undefined)}));
  add(element('div', {class: 'pair'}, barChart({title: 'Nodes, µs per request', bars: bars('cpu')}), barChart({title: 'Load generator, µs per request', bars: bars('generator-cpu')})));
}

function growth() {
  const metrics = present(GROWTHS);
  if (metrics.length === 0) return;
  section('Growth', 'From the second fifth of the run to its last, of the node that grew most, in percent; of the heap what is alive, from before a soak until after it. Short runs grow: their JVMs still warm up.');
  add(table(['', ...metrics.map(heading)], all.map(one => [named(one), ...metrics.map(metric => one.variant.medians[metric] ?? null)])));
}

function minutes() {
  const soaked = all.filter(one => one.variant.rounds.some(round => round.minutes.length > 0));
  for (const one of soaked) {
    section(`Minute by minute: ${one.name}`, 'Memory, threads and descriptors are those of the node that had most.');
    const keys = ['minute', 'requests', 'errors', 'p50', 'p99', 'p99.9', 'max', 'heap', 'rss', 'native', 'rocksdb', 'threads', 'descriptors'];
    add(table(keys, one.variant.rounds[0].minutes.map(minute => keys.map(key => minute[key] ?? null))));
  }
}

function tries() {
  const searched = all.filter(one => one.variant.rounds.some(round => round.tries.length > 0));
  if (searched.length === 0) return;
  section('The search, step by step', 'Each rate was held for a few seconds; the last is the confirmation over the full length.');
  add(table(['', 'round', 'rate, /s', 'p99, ms', 'errors', ''], searched.flatMap(one => one.variant.rounds.flatMap(round =>
    round.tries.map(step => [named(one), round.round, step.rate, step.p99Millis, step.errors, badge(step.good)])))));
}

function rounds() {
  section('Every round', 'In the order in which they were run.');
  DATA.forEach((run, i) => {
    const rows = run.order.map(entry => {
      const split = entry.lastIndexOf(' ');
      const one = all.find(next => next.index === i && next.variant.name === entry.slice(0, split));
      const round = one.variant.rounds.find(next => next.round === Number(entry.slice(split + 1)));
      const requests = round.legs.reduce((sum, leg) => sum + leg.begun, 0);
      return [named(one), round.round, requests, ...['p50', 'p99', 'p99.9', 'max', 'throughput', 'cpu', 'errors', 'lag-p99'].map(metric => round.figures[metric] ?? null), round.problems.join('; ')];
    });
    add(table(['', 'round', 'requests', 'p50', 'p99', 'p99.9', 'max', 'throughput', 'cpu', 'errors', 'lag-p99', 'problems'], rows));
  });
}

function flames() {
  const links = DATA.flatMap(run => comparing ? [] : run.flames ?? []);
  if (links.length === 0) return;
  section('Flame graphs', 'Beside this page, in the same folder. Profiling costs the nodes something: take figures from runs without it.');
  const groups = groupBy(links, link => link.replace(/^flames\//, '').replace(/-(cpu|alloc|lock)\.html$/, ''));
  add(table(['run and node', '', '', ''], [...groups].map(([name, pages]) => [name, ...pages.map(page => element('a', {href: page}, page.match(/(cpu|alloc|lock)\.html$/)[1]))])));
}

function circumstances() {
  section('Where and how');
  DATA.forEach((run, i) => {
    const machine = run.run.machine;
    const facts = {processor: `${machine.processors} × ${machine.processor}`, memory: `${number(machine.memoryMiB)} MiB`, system: `${machine.system}, ${machine.kernel}`,
      JVM: machine.jvm, commit: machine.commit, 'load average before': machine.load, 'command line': run.run.command, 'took': `${run.run.seconds} s`};
    add(element('dl', {}, ...Object.entries(facts).flatMap(([key, value]) => [element('dt', {}, key), element('dd', {}, String(value))])));
    add(element('details', {}, element('summary', {}, `The scenario as written${comparing ? ', ' + LETTERS[i] : ''}`), element('pre', {}, run.yaml)));
  });
  add(element('details', {}, element('summary', {}, 'How to read this page'), element('p', {class: 'note'},
    'Load is open-loop: requests are due at a constant rate, whatever the answers do, and latency counts from when a request was due. '
    + 'Lag is how late the generator itself began requests, up to a tick of a millisecond being normal; anything more than two counts into the latency. '
    + 'Ratios between variants of one run are worth more than absolute figures, because generator and nodes share one machine, which others may use as well.')));
}

document.title = DATA[0].title;
header();
conclusions();
variants();
figures();
endings();
differences();
curves();
costs();
overTime();
minutes();
growth();
tries();
rounds();
flames();
circumstances();
redrawAll();
