package dev.kvorum.simulation.run;

import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Subject;
import dev.kvorum.simulation.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Many seeds, on all processors: each run has a thread of its own, and knows nothing of the others. */
public final class Campaign {
    /** What is broken breaks everywhere: after so many seeds no more are begun. */
    private static final int FAILED_MAX = 10;

    private static final int TOLD_EVERY = 1000;

    private final Subject subject;
    private final Consumer<Verdict> onFailure;
    private final Consumer<Campaign> onProgress;
    private final AtomicLong virtualNanos = new AtomicLong();
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong seeds = new AtomicLong();
    private final List<Verdict> failures = new ArrayList<>();
    private volatile long begunNanos;
    private volatile long tookNanos; // 0 until all have ended.

    /**
     * @param subject what they are run on
     * @param onFailure told at once of each seed that is not good, one at a time
     * @param onProgress told now and then how far it is, by any of its threads
     */
    public Campaign(Subject subject, Consumer<Verdict> onFailure, Consumer<Campaign> onProgress) {
        this.subject = subject;
        this.onFailure = onFailure;
        this.onProgress = onProgress;
    }

    /**
     * Runs so many seeds from that one on. Blocks.
     *
     * @throws IllegalStateException if a seed ends without a verdict
     */
    public Campaign run(long from, long count) {
        begunNanos = System.nanoTime();
        AtomicLong next = new AtomicLong(from);
        int threads = Runtime.getRuntime().availableProcessors();
        List<CompletableFuture<Void>> workers;
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            workers = IntStream.range(0, threads)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> work(next, from + count), executor))
                    .toList();
        }
        workers.forEach(Campaign::requireEnded);
        tookNanos = System.nanoTime() - begunNanos;
        return this;
    }

    private static void requireEnded(CompletableFuture<Void> worker) {
        if (worker.isCompletedExceptionally()) {
            throw new IllegalStateException("A seed has ended without a verdict", worker.exceptionNow());
        }
    }

    private void work(AtomicLong next, long end) {
        for (long seed = next.getAndIncrement(); seed < end && mayGoOn(); seed = next.getAndIncrement()) {
            ended(subject.run(Run.of(seed)));
        }
    }

    private synchronized boolean mayGoOn() {
        return failures.size() < FAILED_MAX;
    }

    private void ended(Verdict verdict) {
        count(verdict);
        if (seeds.incrementAndGet() % TOLD_EVERY == 0) {
            onProgress.accept(this);
        }
    }

    private void count(Verdict verdict) {
        virtualNanos.addAndGet(verdict.course().virtualNanos());
        operations.addAndGet(verdict.history().operations().size());
        faults.addAndGet(verdict.faults().planned());
        verdict.history().operations().stream()
                .filter(operation -> operation.answer().isOk())
                .forEach(operation -> done.incrementAndGet());
        events.addAndGet(verdict.course().events());
        if (!verdict.isGood()) {
            synchronized (this) {
                failures.add(verdict);
                onFailure.accept(verdict);
            }
        }
    }

    /** Of the seeds that are not good. */
    public synchronized List<Verdict> failures() {
        return List.copyOf(failures);
    }

    /** One line, of those that have ended by now. */
    public String summary() {
        long took = tookNanos;
        double minutes = (took > 0 ? took : System.nanoTime() - begunNanos) / 60e9;
        double hours = virtualNanos.get() / 3600e9;
        return String.format(
                Locale.ROOT,
                "%d seeds, %d not good; %d operations, %d %% of them done, %d faults, %d events;"
                        + " %.1f virtual hours in %.1f s: %.0f seeds and %.1f virtual hours per minute",
                seeds.get(),
                failures().size(),
                operations.get(),
                100 * done.get() / Math.max(1, operations.get()),
                faults.get(),
                events.get(),
                hours,
                60 * minutes,
                seeds.get() / minutes,
                hours / minutes);
    }
}
