package dev.kvorum.node.storage.rocks;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kvorum.node.thread.TimeSlice;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BatchWorkerTest {
    private static final int QUEUE_MAX = 8;
    private static final int BATCH_MAX = 4;
    private static final int HOLD = 0;
    private static final int THROW = -1;

    private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
    private final CountDownLatch holding = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final BatchWorker<Integer> worker =
            BatchWorker.inBackground("kvorum-test-worker", QUEUE_MAX, BATCH_MAX, this::work);

    @AfterEach
    void close() {
        released.countDown();
        worker.close();
    }

    private void work(List<Integer> batch) {
        batches.add(List.copyOf(batch));
        if (batch.contains(HOLD)) {
            holding.countDown();
            awaitUninterrupted(released);
        }
        if (batch.contains(THROW)) {
            throw new IllegalStateException("as the test says");
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void hold() {
        assertThat(worker.offer(HOLD)).isTrue();
        awaitUninterrupted(holding);
    }

    private void offer(int from, int to) {
        IntStream.rangeClosed(from, to)
                .forEach(task -> assertThat(worker.offer(task)).isTrue());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyThreadsOfRequestsHaveShortSlices(boolean ofRequests) {
        long usual = TimeSlice.ofThisThread();
        assumeThat(usual).as("slices of their own, as of Linux 6.12").isPositive();
        CompletableFuture<Long> slice = new CompletableFuture<>();
        Consumer<List<Integer>> work = batch -> slice.completeAsync(TimeSlice::ofThisThread, Runnable::run);
        try (BatchWorker<Integer> asked = ofRequests
                ? BatchWorker.ofRequests("kvorum-test-of-requests", QUEUE_MAX, BATCH_MAX, work)
                : BatchWorker.inBackground("kvorum-test-background", QUEUE_MAX, BATCH_MAX, work)) {
            asked.offer(1);

            assertThat(slice).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(ofRequests ? TimeSlice.SHORTEST : usual);
        }
    }

    @Test
    void whatWaitsIsTakenAsOneBatchUpToItsLimit() {
        hold();
        offer(1, 6);

        released.countDown();
        worker.close();

        assertThat(batches).containsExactly(List.of(HOLD), List.of(1, 2, 3, 4), List.of(5, 6));
    }

    @Test
    void fullQueueRefusesAndNothingOfItIsDone() {
        hold();
        offer(1, QUEUE_MAX);

        assertThat(worker.waiting()).isEqualTo(QUEUE_MAX);
        assertThat(worker.offer(9)).isFalse();

        released.countDown();
        worker.close();

        assertThat(batches.stream().flatMap(List::stream)).containsExactly(HOLD, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void closeWaitsForWhatWasAcceptedAndThenTakesNoMore() throws InterruptedException {
        hold();
        offer(1, 5);
        Thread closing = Thread.ofPlatform().start(worker::close);
        eventually("close waits for the worker", () -> closing.getState() == Thread.State.WAITING);

        assertThat(worker.offer(6)).isFalse();

        released.countDown();
        closing.join();

        assertThat(batches.stream().flatMap(List::stream)).containsExactly(HOLD, 1, 2, 3, 4, 5);
        assertThat(worker.offer(7)).isFalse();
    }

    @Test
    void interruptedCloseFinishesAllTheSameAndStaysInterrupted() {
        hold();
        offer(1, 5);
        released.countDown();
        Thread.currentThread().interrupt();

        worker.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(batches.stream().flatMap(List::stream)).containsExactly(HOLD, 1, 2, 3, 4, 5);
    }

    @Test
    void batchThatThrowsDoesNotEndTheWorker() {
        offer(THROW, THROW);
        eventually("the batch that throws has begun", () -> !batches.isEmpty());
        offer(1, 1);

        worker.close();

        assertThat(batches).containsExactly(List.of(THROW), List.of(1));
    }

    @Test
    void whatOneTurnOfAnEventLoopBringsIsOneBatch() {
        Queue<Runnable> turn = new ArrayDeque<>();
        Executor loop = turn::add;

        IntStream.rangeClosed(1, 3)
                .forEach(task -> assertThat(worker.offer(task, loop)).isTrue());
        assertThat(turn).hasSize(1);
        turn.remove().run();

        eventually("the batch is taken", () -> !batches.isEmpty());
        assertThat(batches).containsExactly(List.of(1, 2, 3));
    }

    @Test
    void whatATurnBringsWhileABatchIsCarriedOutWaitsForTheEndOfTheTurn() {
        Queue<Runnable> turn = new ArrayDeque<>();
        Executor loop = turn::add;
        hold();
        assertThat(worker.offer(1, loop)).isTrue();
        released.countDown();
        eventually("the worker has nothing to do", () -> batches.size() == 1 && isIdle());

        assertThat(worker.offer(2, loop)).isTrue();
        turn.remove().run();

        eventually("the batch is taken", () -> batches.size() > 1);
        assertThat(batches).containsExactly(List.of(HOLD), List.of(1, 2));
        assertThat(turn).isEmpty();
    }

    @Test
    void tasksOfOneLoopDoNotWaitForTheTurnOfAnother() {
        Queue<Runnable> longTurn = new ArrayDeque<>();
        Queue<Runnable> turn = new ArrayDeque<>();
        assertThat(worker.offer(1, longTurn::add)).isTrue();
        assertThat(worker.offer(2, turn::add)).isTrue();

        turn.remove().run();

        eventually("both are done", () -> batches.stream().mapToInt(List::size).sum() == 2);
        assertThat(longTurn).hasSize(1);
    }

    @Test
    void taskOfAnotherThreadDoesNotWaitForATurn() {
        Queue<Runnable> turn = new ArrayDeque<>();
        assertThat(worker.offer(1, turn::add)).isTrue();

        offer(2, 2);

        eventually("both are done", () -> batches.stream().mapToInt(List::size).sum() == 2);
        turn.remove().run(); // Which finds nothing left.
    }

    @Test
    void taskOfAnEventLoopThatHasEndedIsDoneAtOnce() {
        assertThat(worker.offer(1, task -> {
                    throw new RejectedExecutionException("as the test says");
                }))
                .isTrue();

        eventually("it is done", () -> batches.size() == 1);
    }

    @Test
    void taskOfATurnThatNeverEndsIsDoneOnClosing() {
        assertThat(worker.offer(1, task -> {})).isTrue();

        worker.close();

        assertThat(batches).containsExactly(List.of(1));
    }

    private static boolean isIdle() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("kvorum-test-worker") && thread.isAlive())
                .allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }

    /**
     * Each task is offered when the worker may just be going to sleep: a missed wake-up would leave it there for good, and a
     * task seen before it was there once made an empty batch.
     */
    @Test
    void workerThatGoesToSleepIsWokenByEveryTaskAndForNothingElse() {
        for (int task = 1; task <= 5000; task++) {
            int expected = task;
            offer(task, task);
            while (batches.size() < expected) {
                Thread.onSpinWait();
            }
        }

        assertThat(batches).hasSize(5000).allMatch(batch -> batch.size() == 1);
    }
}
