package dev.kvorum.load.chaos.client;

import dev.kvorum.history.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients that begin operations at a steady rate, whatever became of those before, and record each of them. One that is not answered with
 * success is tried once more through another node, as a client with one retry does; to the history that is an operation of its own. One thread
 * begins them.
 */
public final class OpenLoop implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int IN_FLIGHT_MAX = 1024;
    private static final int READS_AT_ONCE = 32;
    private static final int ALL = 3;
    private static final int MAJORITY = 2;

    private final Supplier<List<Target>> targets;
    private final Workload workload;
    private final Recorder recorder;
    private final Census census = new Census();
    private final EntityClient client;

    /** Clients that have nothing under way, by their numbers: a client of a history has one operation at a time. */
    private final BlockingQueue<Integer> idle = new ArrayBlockingQueue<>(IN_FLIGHT_MAX);

    /** @param targets the nodes that clients know, at least one */
    public OpenLoop(Supplier<List<Target>> targets, Workload workload, Recorder recorder) {
        this(targets, workload, recorder, PATIENCE);
    }

    OpenLoop(Supplier<List<Target>> targets, Workload workload, Recorder recorder, Duration patience) {
        this.targets = targets;
        this.workload = workload;
        this.recorder = recorder;
        this.client = new EntityClient(patience, recorder::nanos, census::surprised);
        IntStream.rangeClosed(1, IN_FLIGHT_MAX).forEach(idle::add);
    }

    public Census census() {
        return census;
    }

    /** Begins operations for that long, and waits until all of them have ended. */
    public void run(double perSecond, Duration length) throws InterruptedException {
        long start = System.nanoTime();
        long period = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
        for (long due = start; due - start < length.toNanos(); due += period) {
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            Integer number = idle.poll();
            if (number == null) {
                census.unsent();
            } else {
                begin(number, workload.next());
            }
        }
        awaitIdle();
    }

    /** Reads every key there is, by all of its replicas and by a majority, through whichever node; false if one of these was not answered. */
    public boolean readAll() throws InterruptedException {
        BlockingQueue<Integer> readers = new ArrayBlockingQueue<>(READS_AT_ONCE);
        IntStream.rangeClosed(1, READS_AT_ONCE).forEach(readers::add);
        List<CompletableFuture<Boolean>> answered = new ArrayList<>();
        for (String key : Workload.keys()) {
            for (int ack : List.of(MAJORITY, ALL)) {
                int number = readers.take();
                answered.add(operate(number, workload.read(key, ack)).whenComplete((_, _) -> readers.add(number)));
            }
        }
        return answered.stream().allMatch(CompletableFuture::join);
    }

    private void begin(int number, Draw draw) {
        var _ = operate(number, draw).whenComplete((_, _) -> idle.add(number));
    }

    /** Whether it was answered, at the second try at the latest. */
    private CompletableFuture<Boolean> operate(int number, Draw draw) {
        Target first = target(draw, null);
        return client.send(number, first, draw).thenCompose(operation -> {
            record(operation);
            if (operation.answer().isOk()) {
                return CompletableFuture.completedFuture(true);
            }
            Draw again = draw.again();
            return client.send(number, target(again, first), again).thenApply(second -> {
                record(second);
                census.retried(second);
                return second.answer().isOk();
            });
        });
    }

    private void record(Operation operation) {
        recorder.add(operation);
        census.ended(operation);
    }

    private Target target(Draw draw, @Nullable Target other) {
        List<Target> choice = targets.get().stream()
                .filter(target -> other == null || !target.id().equals(other.id()))
                .toList();
        return choice.isEmpty() ? targets.get().getFirst() : choice.get(draw.chance() % choice.size());
    }

    private void awaitIdle() throws InterruptedException {
        for (int i = 0; i < IN_FLIGHT_MAX; i++) {
            idle.take();
        }
        IntStream.rangeClosed(1, IN_FLIGHT_MAX).forEach(idle::add);
    }

    @Override
    public void close() {
        client.close();
    }
}
