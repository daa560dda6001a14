package dev.kvorum.load.run;

import dev.kvorum.load.cluster.DelayProxy;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.scenario.FaultPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets a fault befall a node at its time, or the members change, and ends a delay afterwards. */
final class FaultTimer implements AutoCloseable {
    private final Optional<FaultPlan> fault;
    private final LocalCluster cluster;
    private final Thread thread;
    private volatile @Nullable Befallen befallen;
    private volatile @Nullable Exception failure;

    private FaultTimer(Optional<FaultPlan> fault, LocalCluster cluster) {
        this.fault = fault;
        this.cluster = cluster;
        this.thread = Thread.ofPlatform().daemon().name("fault").unstarted(this::run);
    }

    static FaultTimer start(Optional<FaultPlan> fault, LocalCluster cluster) {
        FaultTimer timer = new FaultTimer(fault, cluster);
        if (fault.isPresent()) {
            timer.thread.start();
        }
        return timer;
    }

    private void run() {
        try {
            FaultPlan plan = fault.orElseThrow();
            Thread.sleep(plan.at());
            befallen = befall(plan);
        } catch (InterruptedException _) {
            // The load ended before the fault's time; failIfFailed says so.
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private Befallen befall(FaultPlan plan) throws IOException, InterruptedException {
        switch (plan) {
            case FaultPlan.Slow slow -> cluster.proxy().orElseThrow().delay(slow.delay());
            case FaultPlan.Frozen frozen -> cluster.node(frozen.node()).freeze();
            case FaultPlan.Dead dead -> cluster.node(dead.node()).kill();
            case FaultPlan.Scaled scaled -> {
                return scale(scaled);
            }
        }
        return Befallen.lasting();
    }

    private Befallen scale(FaultPlan.Scaled scaled) throws IOException, InterruptedException {
        try (Scaling scaling = new Scaling(cluster)) {
            return scaled.cancelled() ? scaling.outAndBack() : scaling.outAndIn();
        }
    }

    Optional<Befallen> befallen() {
        return Optional.ofNullable(befallen);
    }

    void failIfFailed() {
        if (failure != null) {
            throw new IllegalStateException("The fault " + fault + " could not be brought about", failure);
        }
        if (fault.isPresent() && befallen == null) {
            throw new IllegalStateException(
                    "The load ended before the fault " + fault.get() + " befell or was over: DURATION is too short.");
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        cluster.proxy().ifPresent(FaultTimer::restore);
    }

    private static void restore(DelayProxy proxy) {
        proxy.delay(Duration.ZERO);
    }
}
