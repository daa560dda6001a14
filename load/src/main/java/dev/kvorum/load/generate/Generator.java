package dev.kvorum.load.generate;

import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.ProcessorTime;
import io.hyperfoil.api.config.Phase;
import io.hyperfoil.api.session.PhaseInstance;
import io.hyperfoil.core.impl.LocalSimulationRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts stretches of load on nodes: Hyperfoil's core on one event loop, in this process. One run at a time. */
public final class Generator {
    private static final long SLICE_MILLIS = 1000;
    private static final long COUNT_MILLIS = 20;
    private static final double UNSENT_SHARE_MAX = 0.005;

    /** Runs one stretch, as {@link #runInTurn} does. */
    public StretchResult run(Stretch stretch, Consumer<TimedSlice> eachSecond) throws InterruptedException {
        return runInTurn(List.of(stretch), eachSecond).getFirst();
    }

    /**
     * Runs stretches to their end, one after the other over the same connections, and waits for the answers of the requests begun. A request
     * belongs to the stretch in which it was begun, also when it is answered in the next.
     *
     * @param stretches of the same targets, connections and timeout, and of different names
     * @param eachSecond gets the requests that ended within each second, on the calling thread; those of different stretches apart
     * @return a result for each
     * @throws GeneratorFailed if the generator could not connect or broke: there is no result then
     */
    public List<StretchResult> runInTurn(List<Stretch> stretches, Consumer<TimedSlice> eachSecond)
            throws InterruptedException {
        List<Recording> recordings = stretches.stream().map(Recording::new).toList();
        WatchedRunner runner = new WatchedRunner(stretches, recordings);
        CompletableFuture<Void> ended = CompletableFuture.runAsync(runner::run, task -> {
            Thread thread = new Thread(task, "load-" + stretches.getFirst().name());
            thread.setDaemon(true);
            thread.start();
        });
        var _ = ended.whenComplete((nothing, failure) -> runner.tell());
        awaitBegin(runner, ended);
        if (runner.present == null) {
            throw new GeneratorFailed("The generator ended before it had begun", null);
        }
        Recording present = recordings.getFirst();
        present.begins();
        long start = System.currentTimeMillis();
        boolean running = true;
        while (running) {
            running = !awaitSliceEnd(ended, start + SLICE_MILLIS, runner, present);
            long now = System.currentTimeMillis();
            for (Recording recording : recordings) {
                recording.slice(start, now, running && recording == present, eachSecond);
            }
            Recording next = runner.present;
            if (next != null && next != present) {
                present.ends();
                next.begins();
                present = next;
            }
            start = now;
        }
        present.ends();
        return recordings.stream().map(Recording::result).toList();
    }

    /** Its connections are opened first. */
    private static void awaitBegin(WatchedRunner runner, CompletableFuture<Void> ended) throws InterruptedException {
        while (runner.present == null && !hasEnded(ended)) {
            runner.awaitNews(SLICE_MILLIS);
        }
    }

    /** Whether the run has ended; false also when the next stretch has begun. */
    private static boolean awaitSliceEnd(
            CompletableFuture<Void> ended, long atMillis, WatchedRunner runner, Recording present)
            throws InterruptedException {
        while (true) {
            if (present.hasBegunAll()) {
                runner.finishOnce(present);
            }
            long left = atMillis - System.currentTimeMillis();
            if (left <= 0 || runner.present != present) {
                return false;
            }
            if (hasEnded(ended)) {
                return true;
            }
            runner.awaitNews(present.isCounted() ? Math.min(left, COUNT_MILLIS) : left);
        }
    }

    private static boolean hasEnded(CompletableFuture<Void> ended) throws InterruptedException {
        try {
            return ended.isDone() && ended.get() == null;
        } catch (ExecutionException e) {
            throw new GeneratorFailed("The generator broke: " + e.getCause(), e.getCause());
        }
    }

    /** What is known of a stretch so far. Of the thread that runs it, but for what Hyperfoil tells. */
    private static final class Recording {
        private final Stretch stretch;
        private final Ledger ledger;
        private final List<TimedSlice> slices = new ArrayList<>();
        private volatile boolean inFlightExceeded;
        private boolean isFinished;
        private boolean hasBegun;
        private long cpuBefore;
        private long cpu;

        Recording(Stretch stretch) {
            this.stretch = stretch;
            this.ledger = new Ledger(
                    stretch.traffic().deletes(),
                    stretch.timeout(),
                    stretch.traffic().values());
        }

        String name() {
            return stretch.name();
        }

        /** Whether it ends after so many requests. */
        boolean isCounted() {
            return stretch.requestsMax() > 0;
        }

        boolean hasBegunAll() {
            return isCounted() && ledger.begunCount() >= stretch.requestsMax();
        }

        void begins() {
            hasBegun = true;
            cpuBefore = ProcessorTime.ofThisProcessMicros();
        }

        void ends() {
            cpu = ProcessorTime.ofThisProcessMicros() - cpuBefore;
        }

        void slice(long start, long end, boolean isPresent, Consumer<TimedSlice> eachSecond) {
            if (!hasBegun) {
                return;
            }
            Slice slice = ledger.slice();
            if (isPresent || slice.ended() > 0) {
                TimedSlice timed = new TimedSlice(start, end, slice);
                slices.add(timed);
                eachSecond.accept(timed);
            }
        }

        StretchResult result() {
            double seconds = stretch.length().toNanos() / 1e9;
            long begun = ledger.begunCount();
            if (begun == 0) {
                throw new GeneratorFailed(
                        "The generator sent nothing in " + name() + ": are its targets " + stretch.targets()
                                + " reachable?",
                        null);
            }
            long due = switch (stretch.pace()) {
                case Pace.Open open -> Math.max(begun, (long) (open.perSecond() * seconds));
                case Pace.Closed _ -> begun;
            };
            List<String> problems = new ArrayList<>();
            if (inFlightExceeded) {
                problems.add(
                        "all sessions of the generator were in flight, so requests began late (their latency counts it)");
            }
            if (due - begun > due * UNSENT_SHARE_MAX + 10) {
                problems.add("the generator began only " + begun + " of " + due + " requests");
            }
            Slice total = Slice.empty();
            slices.forEach(timed -> total.add(timed.slice()));
            return new StretchResult(total, slices, seconds, begun, due, ledger.lateCount(), cpu, problems);
        }
    }

    /** Tells what {@link LocalSimulationRunner} keeps to itself. */
    private static final class WatchedRunner extends LocalSimulationRunner {
        private final List<Recording> recordings;
        private final Semaphore news = new Semaphore(0);
        private volatile @Nullable Recording present;

        WatchedRunner(List<Stretch> stretches, List<Recording> recordings) {
            super(HyperfoilBenchmark.of(
                    stretches,
                    recordings.stream().map(recording -> recording.ledger).toList()));
            this.recordings = recordings;
        }

        /** Whoever waits for news is to look at what has changed. */
        void tell() {
            news.release();
        }

        /** Waits for so long, or until there is something new. A thread that looked ever so often would take the processor from what is measured. */
        void awaitNews(long millis) throws InterruptedException {
            if (news.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        }

        void finishOnce(Recording recording) {
            if (!recording.isFinished) {
                recording.isFinished = true;
                finishPhase(recording.name());
            }
        }

        @Override
        protected CompletableFuture<Void> phaseChanged(
                Phase phase, PhaseInstance.Status status, boolean sessionLimitExceeded, @Nullable Throwable error) {
            for (Recording recording : recordings) {
                if (recording.name().equals(phase.name())) {
                    recording.inFlightExceeded |= sessionLimitExceeded;
                    if (status == PhaseInstance.Status.RUNNING) {
                        present = recording;
                        tell();
                    }
                }
            }
            return super.phaseChanged(phase, status, sessionLimitExceeded, error);
        }
    }
}
