'use strict';
// Charts in plain SVG: lines on linear or logarithmic axes, and bars with a dot for each round.

const SVG = 'http://www.w3.org/2000/svg';

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

function shape(name, attributes = {}, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  const digits = size === 0 || size >= 100 || Number.isInteger(value) && size >= 10 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString('en-US', {maximumFractionDigits: digits, minimumFractionDigits: Number.isInteger(value) ? 0 : digits});
}

function scale(axis, values, from, to) {
  let low = Math.min(...values), high = Math.max(...values);
  if (axis.log) {
    low = axis.min ?? Math.max(low, 1e-3);
    high = Math.max(high, low * 10);
    if (!axis.tight) { low = niceBelow(low); high = niceAbove(high); }
    const span = Math.log(high / low);
    const at = value => from + (to - from) * Math.log(Math.max(value, low) / low) / span;
    return {at, low, high, ticks: logTicks(low, high)};
  }
  low = axis.min ?? Math.min(0, low);
  high = high > low ? high : low + 1;
  const step = niceStep((high - low) / 5);
  if (!axis.tight) high = Math.ceil(high / step - 1e-9) * step;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1e6; tick += step) ticks.push(tick);
  return {at: value => from + (to - from) * (value - low) / (high - low), low, high, ticks};
}

const STEPS = [1, 2, 5, 10];
const decade = value => Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
const niceStep = raw => { const ten = decade(raw); return STEPS.find(step => step * ten >= raw * 0.999) * ten; };
const niceBelow = value => { const ten = decade(value); return [...STEPS].reverse().find(step => step * ten <= value * 1.001) * ten; };
const niceAbove = value => { const ten = decade(value); return STEPS.find(step => step * ten >= value * 0.999) * ten; };

function logTicks(low, high) {
  const steps = high / low > 2000 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let ten = decade(low); ten <= high * 1.001; ten *= 10) {
    for (const step of steps) if (step * ten >= low * 0.999 && step * ten <= high * 1.001) ticks.push(step * ten);
  }
  return ticks;
}

/** options: title, height, x and y {log, label, format, ticks, min, tight}, series [{name, color, dash, thin, points}], marks [{x, label}] */
function lineChart(options) {
  const box = element('div', {class: 'chart'}, element('h3', {}, options.title));
  const draw = () => {
    box.querySelector('svg')?.remove();
    const series = options.series.filter(one => one.points.length > 0 && !hidden.has(one.name));
    if (series.length > 0) box.append(drawLines(box, options, series));
  };
  redraws.push(draw);
  return box;
}

function drawLines(box, options, series) {
  const width = Math.max(300, box.clientWidth - 28), height = options.height ?? 300;
  const left = 58, right = 14, top = 8, bottom = 40;
  const svg = shape('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': options.title});
  const points = series.flatMap(one => one.points);
  const x = scale(options.x, points.map(point => point[0]), left, width - right);
  const y = scale(options.y, points.map(point => point[1]), height - bottom, top);
  const format = options.y.format ?? number;
  for (const tick of y.ticks) {
    svg.append(shape('line', {class: 'grid', x1: left, x2: width - right, y1: y.at(tick), y2: y.at(tick)}));
    svg.append(shape('text', {x: left - 8, y: y.at(tick) + 4, 'text-anchor': 'end'}, format(tick)));
  }
  const xTicks = options.x.ticks ? options.x.ticks.filter(tick => tick.at >= x.low && tick.at <= x.high * 1.001) : x.ticks.map(at => ({at, label: number(at)}));
  for (const tick of xTicks) {
    svg.append(shape('line', {class: 'grid', x1: x.at(tick.at), x2: x.at(tick.at), y1: top, y2: height - bottom}));
    svg.append(shape('text', {x: x.at(tick.at), y: height - bottom + 16, 'text-anchor': 'middle'}, tick.label));
  }
  svg.append(shape('line', {class: 'axis', x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}));
  svg.append(shape('text', {x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle'}, options.x.label));
  for (const mark of options.marks ?? []) {
    if (mark.x < x.low || mark.x > x.high) continue;
    svg.append(shape('line', {class: 'mark', x1: x.at(mark.x), x2: x.at(mark.x), y1: top, y2: height - bottom}));
    svg.append(shape('text', {class: 'mark-label', x: x.at(mark.x) + 5, y: top + 11}, mark.label));
  }
  for (const one of series) {
    const path = one.points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x.at(point[0]).toFixed(1)} ${y.at(point[1]).toFixed(1)}`).join('');
    svg.append(shape('path', {class: one.thin ? 'series thin' : 'series', d: path, stroke: one.color, 'stroke-dasharray': one.dash ? '6 5' : 'none'}));
  }
  hover(box, svg, options, series.filter(one => !one.thin), x, y, {left, right, top, bottom, width, height});
  return svg;
}

function hover(box, svg, options, series, x, y, frame) {
  const cross = shape('line', {class: 'cross', y1: frame.top, y2: frame.height - frame.bottom, visibility: 'hidden'});
  svg.append(cross);
  let tip = null;
  const clear = () => { tip?.remove(); tip = null; cross.setAttribute('visibility', 'hidden'); };
  svg.addEventListener('mouseleave', clear);
  svg.addEventListener('mousemove', event => {
    const rectangle = svg.getBoundingClientRect();
    const at = event.clientX - rectangle.left;
    if (at < frame.left || at > frame.width - frame.right) return clear();
    const nearest = series.map(one => [one, one.points.reduce((best, point) => Math.abs(x.at(point[0]) - at) < Math.abs(x.at(best[0]) - at) ? point : best)]);
    const closest = nearest.reduce((best, next) => Math.abs(x.at(next[1][0]) - at) < Math.abs(x.at(best[1][0]) - at) ? next : best)[1];
    cross.setAttribute('x1', x.at(closest[0]));
    cross.setAttribute('x2', x.at(closest[0]));
    cross.setAttribute('visibility', 'visible');
    tip?.remove();
    tip = element('div', {class: 'tip'}, element('div', {style: 'color:var(--faint)'}, (options.x.tip ?? number)(closest[0])));
    for (const [one, point] of nearest.sort((a, b) => b[1][1] - a[1][1])) {
      tip.append(element('div', {}, swatch(one), `${one.name}  ${(options.y.format ?? number)(point[1])}${options.y.unit ? ' ' + options.y.unit : ''}`));
    }
    box.append(tip);
    const spot = svg.offsetLeft ?? 0;
    tip.style.left = (at > frame.width / 2 ? 14 + at - tip.offsetWidth - 14 : 14 + at + 14 + spot) + 'px';
    tip.style.top = '44px';
  });
}

/** One bar per series with its median, and a dot for each round. */
function barChart(options) {
  const box = element('div', {class: 'chart'}, element('h3', {}, options.title));
  const draw = () => {
    box.querySelector('svg')?.remove();
    const bars = options.bars.filter(bar => !hidden.has(bar.name) && bar.value !== undefined);
    if (bars.length === 0) return;
    const width = Math.max(300, box.clientWidth - 28), row = 26, left = Math.min(220, width * 0.4), top = 4;
    const height = top + row * bars.length + 26;
    const svg = shape('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': options.title});
    const x = scale({}, bars.flatMap(bar => [bar.value, ...bar.dots]), left, width - 60);
    for (const tick of x.ticks) {
      svg.append(shape('line', {class: 'grid', x1: x.at(tick), x2: x.at(tick), y1: top, y2: height - 22}));
      svg.append(shape('text', {x: x.at(tick), y: height - 8, 'text-anchor': 'middle'}, number(tick)));
    }
    bars.forEach((bar, i) => {
      const y = top + i * row;
      svg.append(shape('text', {x: left - 10, y: y + 17, 'text-anchor': 'end'}, bar.name));
      svg.append(shape('rect', {class: 'bar', x: left, y: y + 5, width: Math.max(1, x.at(bar.value) - left), height: row - 10, rx: 3, fill: bar.color}));
      for (const dot of bar.dots) svg.append(shape('circle', {class: 'dot', cx: x.at(dot), cy: y + row / 2, r: 2.5}));
      svg.append(shape('text', {x: Math.max(...bar.dots.map(x.at), x.at(bar.value)) + 8, y: y + 17}, number(bar.value)));
    });
    box.append(svg);
  };
  redraws.push(draw);
  return box;
}

const swatch = one => element('span', {class: one.dash ? 'swatch dashed' : 'swatch', style: `border-color:${one.color}`});
const hidden = new Set();
const redraws = [];
const redrawAll = () => redraws.forEach(draw => draw());
window.addEventListener('resize', redrawAll);
