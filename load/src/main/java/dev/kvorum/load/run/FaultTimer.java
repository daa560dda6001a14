package dev.kvorum.load.run;

import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.scenario.FaultPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets a fault befall a node at its time, or the members change, and ends a delay afterwards. */
final class FaultTimer implements AutoCloseable {
    private final Optional<FaultPlan> fault;
    private final Event event;
    private final Runnable end;
    private final Thread thread;
    private volatile boolean isBegun;
    private volatile @Nullable Befallen befallen;
    private volatile @Nullable Throwable failure;

    private FaultTimer(Optional<FaultPlan> fault, Event event, Runnable end) {
        this.fault = fault;
        this.event = event;
        this.end = end;
        this.thread = Thread.ofPlatform().daemon().name("fault").unstarted(this::run);
    }

    /** Lets a plan come about, and returns when it has: a change of the members when it is over. */
    @FunctionalInterface
    interface Event {
        Befallen befall(FaultPlan plan) throws IOException, InterruptedException;
    }

    static FaultTimer start(Optional<FaultPlan> fault, LocalCluster cluster) {
        return start(
                fault,
                plan -> befall(plan, cluster),
                () -> cluster.proxy().ifPresent(proxy -> proxy.delay(Duration.ZERO)));
    }

    /** @param end of what lasts, when the load is over */
    static FaultTimer start(Optional<FaultPlan> fault, Event event, Runnable end) {
        FaultTimer timer = new FaultTimer(fault, event, end);
        if (fault.isPresent()) {
            timer.thread.start();
        }
        return timer;
    }

    private void run() {
        try {
            FaultPlan plan = fault.orElseThrow();
            Thread.sleep(plan.at());
            isBegun = true;
            befallen = event.befall(plan);
        } catch (InterruptedException _) {
            // The load ended before the fault was over; failIfFailed has said so.
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
    }

    private static Befallen befall(FaultPlan plan, LocalCluster cluster) throws IOException, InterruptedException {
        switch (plan) {
            case FaultPlan.Slow slow -> cluster.proxy().orElseThrow().delay(slow.delay());
            case FaultPlan.Frozen frozen -> cluster.node(frozen.node()).freeze();
            case FaultPlan.Dead dead -> cluster.node(dead.node()).kill();
            case FaultPlan.Strangers _ -> {} // They are there already.
            case FaultPlan.Scaled scaled -> {
                return scale(scaled, cluster);
            }
        }
        return Befallen.lasting();
    }

    private static Befallen scale(FaultPlan.Scaled scaled, LocalCluster cluster)
            throws IOException, InterruptedException {
        Scaling scaling = new Scaling(cluster);
        return scaled.cancelled() ? scaling.outAndBack() : scaling.outAndIn();
    }

    Optional<Befallen> befallen() {
        return Optional.ofNullable(befallen);
    }

    /** To be called when the load has ended; says why the fault did not come about, or is not over. */
    void failIfFailed() {
        if (fault.isEmpty()) {
            return;
        }
        // Before the failure is looked at: one that comes in between is then the reason, not the time.
        boolean isOver = befallen != null;
        boolean wasBegun = isBegun;
        Throwable reason = failure;
        if (reason != null) {
            throw new IllegalStateException(
                    "The fault " + fault.get() + " could not be brought about: " + reason, reason);
        }
        if (!wasBegun) {
            throw new IllegalStateException(
                    "The load ended before the time of the fault " + fault.get() + ": DURATION is too short.");
        }
        if (!isOver) {
            throw new IllegalStateException("The load ended before the fault " + fault.get()
                    + " was over: DURATION is too short, or it is held up, and scaling.log says by what.");
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        end.run();
    }
}
