package dev.kvorum.load.generate;

import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.ProcessorTime;
import io.hyperfoil.api.config.Benchmark;
import io.hyperfoil.api.config.Phase;
import io.hyperfoil.api.session.PhaseInstance;
import io.hyperfoil.core.impl.LocalSimulationRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts a stretch of load on nodes: Hyperfoil's core on one event loop, in this process. One stretch at a time. */
public final class Generator {
    private static final long SLICE_MILLIS = 1000;
    private static final long POLL_MILLIS = 20;
    private static final double UNSENT_SHARE_MAX = 0.005;

    /**
     * Runs the stretch to its end, and waits for the answers of the requests begun.
     *
     * @param eachSecond gets the requests that ended within each second, on the calling thread
     * @throws GeneratorFailed if the generator could not connect or broke: there is no result then
     */
    public StretchResult run(Stretch stretch, Consumer<TimedSlice> eachSecond) throws InterruptedException {
        Ledger ledger = new Ledger(stretch.traffic().deletes(), stretch.timeout());
        WatchedRunner runner = new WatchedRunner(HyperfoilBenchmark.of(stretch, ledger));
        long cpuBefore = ProcessorTime.ofThisProcessMicros();
        CompletableFuture<Void> ended = CompletableFuture.runAsync(runner::run, task -> {
            Thread thread = new Thread(task, "load-" + stretch.name());
            thread.setDaemon(true);
            thread.start();
        });
        Slice total = Slice.empty();
        List<TimedSlice> slices = new ArrayList<>();
        long start = System.currentTimeMillis();
        boolean running = true;
        while (running) {
            running = !awaitSliceEnd(ended, start + SLICE_MILLIS, runner, ledger, stretch);
            long now = System.currentTimeMillis();
            Slice slice = ledger.slice();
            if (slice.ended() > 0 || running) {
                TimedSlice timed = new TimedSlice(start, now, slice);
                total.add(slice);
                slices.add(timed);
                eachSecond.accept(timed);
            }
            start = now;
        }
        long cpu = ProcessorTime.ofThisProcessMicros() - cpuBefore;
        return result(stretch, ledger, total, slices, cpu, runner);
    }

    /** Whether the stretch has ended. */
    private static boolean awaitSliceEnd(
            CompletableFuture<Void> ended, long atMillis, WatchedRunner runner, Ledger ledger, Stretch stretch)
            throws InterruptedException {
        while (true) {
            if (stretch.requestsMax() > 0 && ledger.begunCount() >= stretch.requestsMax()) {
                runner.finishOnce();
            }
            long left = atMillis - System.currentTimeMillis();
            if (left <= 0) {
                return false;
            }
            try {
                ended.get(Math.min(left, POLL_MILLIS), TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException _) {
                // The stretch goes on.
            } catch (ExecutionException e) {
                throw new GeneratorFailed(
                        "The generator broke in " + stretch.name() + ": " + e.getCause(), e.getCause());
            }
        }
    }

    private static StretchResult result(
            Stretch stretch, Ledger ledger, Slice total, List<TimedSlice> slices, long cpu, WatchedRunner runner) {
        double seconds = stretch.length().toNanos() / 1e9;
        long begun = ledger.begunCount();
        long due = switch (stretch.pace()) {
            case Pace.Open open -> Math.max(begun, (long) (open.perSecond() * seconds));
            case Pace.Closed _ -> begun;
        };
        List<String> problems = new ArrayList<>();
        if (begun == 0) {
            throw new GeneratorFailed(
                    "The generator sent nothing in " + stretch.name() + ": are its targets " + stretch.targets()
                            + " reachable?",
                    null);
        }
        if (runner.inFlightExceeded()) {
            problems.add(
                    "all sessions of the generator were in flight, so requests began late (their latency counts it)");
        }
        if (due - begun > due * UNSENT_SHARE_MAX + 10) {
            problems.add("the generator began only " + begun + " of " + due + " requests");
        }
        return new StretchResult(total, slices, seconds, begun, due, ledger.lateCount(), cpu, problems);
    }

    /** Tells what {@link LocalSimulationRunner} keeps to itself. */
    private static final class WatchedRunner extends LocalSimulationRunner {
        private volatile boolean inFlightExceeded;
        private boolean finished;

        WatchedRunner(Benchmark benchmark) {
            super(benchmark);
        }

        boolean inFlightExceeded() {
            return inFlightExceeded;
        }

        void finishOnce() {
            if (!finished) {
                finished = true;
                finishPhase(HyperfoilBenchmark.PHASE);
            }
        }

        @Override
        protected CompletableFuture<Void> phaseChanged(
                Phase phase, PhaseInstance.Status status, boolean sessionLimitExceeded, @Nullable Throwable error) {
            inFlightExceeded |= sessionLimitExceeded;
            return super.phaseChanged(phase, status, sessionLimitExceeded, error);
        }
    }
}
