package dev.kvorum.load.generate;

import io.hyperfoil.api.config.Benchmark;
import io.hyperfoil.api.config.BenchmarkBuilder;
import io.hyperfoil.api.config.PhaseBuilder;
import io.hyperfoil.api.config.SequenceBuilder;
import io.hyperfoil.api.config.SessionLimitPolicy;
import io.hyperfoil.http.api.HttpMethod;
import io.hyperfoil.http.config.HttpBuilder;
import io.hyperfoil.http.config.HttpPluginBuilder;
import io.hyperfoil.http.steps.HttpRequestStepBuilder;
import io.hyperfoil.http.steps.HttpStepCatalog;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Stretches of load in Hyperfoil's terms: a phase each, whose sessions send one request each, one phase after the other over the same connections. */
final class HyperfoilBenchmark {
    private static final long GRACE_MILLIS = 1000;

    private HyperfoilBenchmark() {}

    /**
     * @param stretches of the same targets, connections and timeout, and of different names
     * @param ledgers one for each
     */
    static Benchmark of(List<Stretch> stretches, List<Ledger> ledgers) {
        Stretch first = stretches.getFirst();
        BenchmarkBuilder benchmark =
                BenchmarkBuilder.builder().name(first.name()).threads(1);
        HttpPluginBuilder plugin = benchmark.addPlugin(HttpPluginBuilder::new);
        plugin.ergonomics()
                .repeatCookies(false)
                .userAgentFromSession(false)
                .autoRangeCheck(false)
                .stopOnInvalid(false);
        List<URI> targets = first.targets();
        for (int i = 0; i < targets.size(); i++) {
            HttpBuilder http = i == 0
                    ? plugin.http().host(targets.getFirst().toString())
                    : plugin.http(targets.get(i).toString());
            http.allowHttp2(false)
                    .pipeliningLimit(1)
                    .sharedConnections(first.connections())
                    .requestTimeout(first.timeout().toMillis());
        }
        for (int i = 0; i < stretches.size(); i++) {
            Stretch stretch = stretches.get(i);
            PhaseBuilder<?> phase = phase(benchmark, stretch);
            if (i > 0) {
                phase.startAfter(stretches.get(i - 1).name()); // Those of its requests that are under way go on.
            }
            request(phase.scenario().initialSequence("request"), stretch, ledgers.get(i));
        }
        return benchmark.build();
    }

    private static PhaseBuilder<?> phase(BenchmarkBuilder benchmark, Stretch stretch) {
        PhaseBuilder.Catalog catalog = benchmark.addPhase(stretch.name());
        PhaseBuilder<?> phase = switch (stretch.pace()) {
            case Pace.Open open ->
                catalog.constantRate(1)
                        .usersPerSec(open.perSecond())
                        .variance(false)
                        .maxSessions(open.inFlightMax())
                        // Shown as a problem and counted into the latency: better than to end in the middle.
                        .sessionLimitPolicy(SessionLimitPolicy.CONTINUE);
            case Pace.Closed closed -> catalog.always(closed.clients());
        };
        long lengthMillis = stretch.length().toMillis();
        phase.duration(lengthMillis);
        phase.maxDuration(lengthMillis + stretch.timeout().toMillis() + GRACE_MILLIS);
        return phase;
    }

    private static void request(SequenceBuilder sequence, Stretch stretch, Ledger ledger) {
        Traffic traffic = stretch.traffic();
        sequence.step(new Arrivals(traffic, stretch.pace(), ledger));
        HttpRequestStepBuilder request = sequence.step(HttpStepCatalog.SC)
                .httpRequest(HttpMethod.GET)
                .method(RequestParts.Method::new)
                .path(new RequestParts.Path(traffic))
                .timeout(stretch.timeout().toMillis(), TimeUnit.MILLISECONDS);
        if (traffic.weights().stream().anyMatch(weight -> weight.operation() == Operation.PUT)) {
            request.body(new RequestParts.Body(traffic.values()));
        }
        if (stretch.targets().size() > 1) {
            request.authority(new RequestParts.Authority(
                    stretch.targets().stream().map(URI::getAuthority).toList()));
        }
        request.handler().status(new RequestParts.Status()).onCompletion(new RequestParts.Completion(ledger));
    }
}
