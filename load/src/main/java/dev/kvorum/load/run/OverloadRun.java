package dev.kvorum.load.run;

import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.figure.Growth;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Pace;
import dev.kvorum.load.generate.PatientClients;
import dev.kvorum.load.generate.PatientClients.Reply;
import dev.kvorum.load.generate.Stretch;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.measure.NodeSample;
import dev.kvorum.load.scenario.Aim;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The peak by a closed loop, a normal load, many times the peak, the normal load again; the last three over the same connections, so that those which
 * were refused are among those that recover; beside them some clients that wait as they are told. The figures of requests and processors are those of the overload, what the nodes held and the pauses of their collectors those of the three; recovery is how long the normal load then needs to be normal.
 */
final class OverloadRun {
    private static final Duration NORMAL = Duration.ofSeconds(10);
    private static final int PATIENTS = 16;

    private final Aim.Overload overload;
    private final VariantRun run;

    OverloadRun(Aim.Overload overload, VariantRun run) {
        this.overload = overload;
        this.run = run;
    }

    RoundResult run(long start) throws InterruptedException {
        Pace.Closed closed = new Pace.Closed(overload.clients());
        run.warmUp(closed);
        run.progress().phase("peak");
        StretchResult peak =
                run.unmeasured(run.stretch("peak", closed, run.load().lengths().measured()));
        double peakRate = peak.settled().throughput();
        Pace normalPace = new Pace.Open(
                Math.max(1, peakRate * overload.normalShare()),
                run.load().senders().inFlight());
        run.progress().phase("normal, overload, recovery");
        Pace flood = new Pace.Open(
                Math.max(1, peakRate * overload.factor()), run.load().senders().inFlight());
        Optional<RefusalWaits> waitsBefore = RefusalWaits.toldBy(nodes());
        List<Measurement> inTurn;
        List<Reply> patient;
        try (PatientClients patients = PatientClients.start(patients(normalPace))) {
            inTurn = run.measureInTurn(List.of(
                    run.stretch("normal", normalPace, NORMAL),
                    run.stretch("overload", flood, run.load().lengths().measured()),
                    run.stretch("recovery", normalPace, NORMAL)));
            patient = patients.stop();
        }
        Measurement normal = inTurn.get(0);
        Measurement over = inTurn.get(1);
        StretchResult after = inTurn.get(2).result();
        List<Leg> legs = List.of(
                new Leg("peak", peak),
                new Leg("normal", normal.result()),
                new Leg("overload", over.result()),
                new Leg("recovery", after));
        RoundResult result = run.result(start, legs, over, List.of())
                .with(Metric.BEGUN_SHARE, over.result().begun() / over.result().seconds() / Math.max(1, peakRate))
                .with(Metric.GOODPUT_SHARE, over.settled().throughput() / Math.max(1, peakRate))
                .with(Metric.RECOVERY, Recovery.seconds(normal.settled(), after));
        Patience patience = Patience.in(over.settled(), patient);
        return result.with(Metric.ERRORS, result.figures().get(Metric.ERRORS).orElse(0.0) + patience.errors())
                .with(Metric.PATIENT_P99, patience.p99Millis())
                .with(Metric.PATIENT_REFUSED, patience.refused())
                .with(Metric.PATIENT_REFUSED_P99, patience.refusedP99Millis())
                .with(
                        Metric.REFUSAL_WAIT_MAX,
                        longestRefusalMillis(over.result().seconds()))
                .with(Metric.REFUSAL_WAIT_MEAN, meanRefusalMillis(waitsBefore))
                .with(Metric.RSS_SURGE, surgePercent(over.samples(), normal.settled(), NodeSample::rssMiB))
                .with(Metric.THREADS_SURGE, surgePercent(over.samples(), normal.settled(), NodeSample::threads));
    }

    private List<Stretch> patients(Pace pace) {
        return IntStream.range(0, PATIENTS)
                .mapToObj(client -> run.stretch("patient-" + client, pace, NORMAL))
                .toList();
    }

    private Optional<Double> meanRefusalMillis(Optional<RefusalWaits> before) throws InterruptedException {
        Optional<RefusalWaits> after = RefusalWaits.toldBy(nodes());
        return before.flatMap(then -> after.map(now -> now.meanMillisSince(then)));
    }

    /** Empty if no node tells, or if they may have forgotten how it began; what is expected of it is then not met. */
    private Optional<Double> longestRefusalMillis(double overloadSeconds) throws InterruptedException {
        return overloadSeconds <= RefusalWaits.REMEMBERED_SECONDS - NORMAL.toSeconds() - 10
                ? RefusalWaits.longestMillis(nodes())
                : Optional.empty();
    }

    private List<NodeProcess> nodes() {
        return run.measuring().cluster().nodes();
    }

    /** The most that a node held from the overload on, over what it held in the normal load before; of the node where that is most. */
    static Optional<Double> surgePercent(List<NodeSample> samples, Part normal, ToDoubleFunction<NodeSample> held) {
        return samples.stream().collect(Collectors.groupingBy(NodeSample::node)).values().stream()
                .flatMap(own -> Growth.surgePercent(
                        own.stream()
                                .filter(sample -> sample.atMillis() >= normal.fromMillis()
                                        && sample.atMillis() < normal.untilMillis())
                                .map(held::applyAsDouble)
                                .toList(),
                        own.stream()
                                .filter(sample -> sample.atMillis() >= normal.untilMillis())
                                .map(held::applyAsDouble)
                                .toList())
                        .stream())
                .max(Comparator.naturalOrder());
    }
}
