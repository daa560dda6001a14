package dev.kvorum.load.run;

import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.crowd.Crowd;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.GeneratorFailed;
import dev.kvorum.load.generate.Outcome;
import dev.kvorum.load.generate.Pace;
import dev.kvorum.load.generate.Stretch;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.Traffic;
import dev.kvorum.load.scenario.Aim;
import dev.kvorum.load.scenario.FaultPlan;
import dev.kvorum.load.scenario.LoadPlan;
import dev.kvorum.load.scenario.Variant;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One round of a variant on a cluster that is ready: fill and warm up, unless others have, and measure. */
final class VariantRun implements Round {
    private static final int FILL_CLIENTS_MAX = 32;
    /** On their way at a time: half of what a node has on its way to one member before it refuses, unless set. */
    private static final int FILL_BYTES_MAX = 8 << 20;

    private static final int WARM_UP_CLIENTS = 64;
    private static final int FILL_PASSES_MAX = 3;
    private static final Duration FILL_MAX = Duration.ofMinutes(10);
    private static final Duration FILL_TIMEOUT = Duration.ofSeconds(30);

    private final Variant variant;
    private final int round;
    private final Measuring measuring;
    private final Progress progress;
    private final List<URI> targets;

    VariantRun(Variant variant, int round, Measuring measuring, Progress progress) {
        this.variant = variant;
        this.round = round;
        this.measuring = measuring;
        this.progress = progress;
        this.targets = targets(variant, measuring.cluster());
    }

    private static List<URI> targets(Variant variant, LocalCluster cluster) {
        if (variant.load().senders().coordinators() == LoadPlan.Coordinators.FIRST) {
            return List.of(cluster.node(1).api());
        }
        List<URI> apis = new ArrayList<>(cluster.apis());
        variant.fault().map(FaultPlan::victim).ifPresent(victim -> victim.ifPresent(node -> apis.remove(node - 1)));
        return apis;
    }

    /** Writes every key to all its replicas; again where that failed, because nodes that have just started are slow. */
    void fill() throws InterruptedException {
        LoadPlan load = variant.load();
        int copies = load.copies(variant.cluster());
        for (int pass = 1; ; pass++) {
            progress.phase("fills " + load.data().keys() + " keys");
            Traffic traffic =
                    Traffic.fill(load.data().keys(), copies, load.data().values());
            int clients = Math.clamp(FILL_BYTES_MAX / load.data().values().largest(), 1, FILL_CLIENTS_MAX);
            Pace pace = new Pace.Closed(clients);
            StretchResult result = measuring.load(new Stretch(
                    "fill",
                    targets,
                    traffic,
                    pace,
                    clients,
                    FILL_MAX,
                    FILL_TIMEOUT,
                    load.data().keys()));
            if (result.total().count(Outcome.DONE) == result.begun()) {
                return;
            }
            if (pass == FILL_PASSES_MAX) {
                throw new GeneratorFailed(
                        "The store could not be filled: of " + result.begun() + " PUTs "
                                + result.total().statuses() + " (by status, 0 is none)",
                        null);
            }
        }
    }

    RoundResult measure() throws InterruptedException {
        LoadPlan load = variant.load();
        long start = System.currentTimeMillis();
        return switch (load.aim()) {
            case Aim.Rate _, Aim.Closed _ -> steady(start);
            case Aim.Search search -> new SaturationSearch(search, this).run(start);
            case Aim.Overload overload -> new OverloadRun(overload, this).run(start);
        };
    }

    /** As fast as it is answered, before the first round on this cluster; of a variant with a rate or a closed loop. */
    void warmUp() throws InterruptedException {
        warmUp(pace() instanceof Pace.Closed closed ? closed : new Pace.Closed(WARM_UP_CLIENTS));
    }

    /** On a cluster that has been filled and warmed up; with a rate or a closed loop. */
    RoundResult measureWarm() throws InterruptedException {
        return steadyWhenWarm(System.currentTimeMillis(), pace());
    }

    private Pace pace() {
        return switch (variant.load().aim()) {
            case Aim.Rate rate ->
                new Pace.Open(rate.perSecond(), variant.load().senders().inFlight());
            case Aim.Closed closed -> new Pace.Closed(closed.clients());
            case Aim.Search _, Aim.Overload _ ->
                throw new IllegalStateException(variant.name() + " chooses its pace itself");
        };
    }

    private RoundResult steady(long start) throws InterruptedException {
        warmUp();
        return steadyWhenWarm(start, pace());
    }

    private RoundResult steadyWhenWarm(long start, Pace pace) throws InterruptedException {
        variant.fault().ifPresent(this::beginEarly);
        Optional<Crowd> crowd = crowd();
        Measurement measured;
        try {
            prepare("settles", "settling", pace, variant.load().lengths().settling());
            progress.phase("measures");
            measured =
                    measure(stretch("measured", pace, variant.load().lengths().measured()));
        } finally {
            crowd.ifPresent(Crowd::close);
        }
        RoundResult result = result(start, List.of(new Leg("measured", measured.result())), measured, List.of());
        return moved(measured).map(share -> result.with(Metric.MOVED, share)).orElse(result);
    }

    /** A node that is slow from the beginning is what nodes settle with: what counts is how they live with it, and not how it comes. */
    private void beginEarly(FaultPlan fault) {
        if (fault instanceof FaultPlan.Slow slow && slow.at().isZero()) {
            measuring.cluster().proxy().orElseThrow().delay(slow.delay());
        }
    }

    /** Those that are there while nodes settle, too. */
    private Optional<Crowd> crowd() throws InterruptedException {
        if (!(variant.fault().orElse(null) instanceof FaultPlan.Strangers strangers)) {
            return Optional.empty();
        }
        NodeProcess node = measuring.cluster().node(strangers.node());
        URI port = switch (strangers.port()) {
            case CLIENTS -> node.api();
            case PEERS -> node.peer();
            case MANAGEMENT -> node.management().uri();
        };
        progress.phase("gathers " + strangers.connections() + " strangers");
        try {
            InetSocketAddress address = new InetSocketAddress(port.getHost(), port.getPort());
            return Optional.of(Crowd.gather(address, strangers.port(), strangers.habit(), strangers.connections()));
        } catch (IOException e) {
            throw new GeneratorFailed(String.valueOf(e.getMessage()), e);
        }
    }

    /** The share of what had to be moved at least; empty where members did not change for good. */
    private Optional<Double> moved(Measurement measured) {
        OptionalLong bytes = measured.befallen().map(Befallen::movedBytes).orElse(OptionalLong.empty());
        if (bytes.isEmpty() || !(variant.fault().orElseThrow() instanceof FaultPlan.Scaled scaled)) {
            return Optional.empty();
        }
        return Optional.of(bytes.getAsLong() / Scaling.leastBytes(variant.load(), variant.cluster(), scaled.more()));
    }

    @Override
    public void warmUp(Pace.Closed pace) throws InterruptedException {
        prepare("warms up", "warm-up", pace, variant.load().lengths().warmUp());
    }

    private void prepare(String phase, String stretch, Pace pace, Duration length) throws InterruptedException {
        if (!length.isZero()) {
            progress.phase(phase);
            measuring.warmUp(stretch(stretch, pace, length));
        }
    }

    @Override
    public Stretch stretch(String name, Pace pace, Duration length) {
        LoadPlan load = variant.load();
        int connections = switch (pace) {
            case Pace.Open _ -> load.senders().connections();
            case Pace.Closed closed -> Math.max(load.senders().connections(), closed.clients());
        };
        long seed = 1000L * round + name.hashCode();
        return new Stretch(
                name,
                targets,
                load.traffic(seed),
                pace,
                connections,
                length,
                load.lengths().timeout(),
                0);
    }

    @Override
    public RoundResult result(long start, List<Leg> legs, Measurement measured, List<RoundResult.Try> tries) {
        List<String> problems = new ArrayList<>();
        legs.forEach(leg -> leg.result().problems().forEach(problem -> problems.add(leg.name() + ": " + problem)));
        return new RoundResult(
                variant.name(),
                round,
                start,
                legs,
                measured.settled().slice(),
                MeasuredFigures.of(measured),
                measured.samples(),
                measured.befallen().map(Befallen::beganMillis),
                tries,
                problems);
    }

    @Override
    public StretchResult unmeasured(Stretch stretch) throws InterruptedException {
        return measuring.load(stretch);
    }

    @Override
    public Measurement measure(Stretch stretch) throws InterruptedException {
        return measureInTurn(List.of(stretch)).getFirst();
    }

    /** Measures stretches one after the other over the same connections. */
    List<Measurement> measureInTurn(List<Stretch> stretches) throws InterruptedException {
        return measuring.measure(variant.name() + "-" + round, stretches, variant.fault());
    }

    Measuring measuring() {
        return measuring;
    }

    @Override
    public Progress progress() {
        return progress;
    }

    @Override
    public LoadPlan load() {
        return variant.load();
    }
}
