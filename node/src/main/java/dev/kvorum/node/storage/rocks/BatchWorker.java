package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.thread.TimeSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread behind a bounded queue, which takes all that waits as one batch: the busier it is, the less each task costs.
 *
 * <p>A task of an event loop waits until the loop has done what else it has to do now. So the tasks of one turn are one batch, and cost
 * one wake-up: a loop that finds one request ready hands its task over at once, and one that finds fifty hands over fifty.
 *
 * <p>{@link #offer} may be called by any thread and never blocks.
 */
final class BatchWorker<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchWorker.class);

    private final MpscAtomicArrayQueue<T> queue;
    private final int batchMax;
    private final Consumer<List<T>> work;
    private final Map<Executor, Turn> turns = new ConcurrentHashMap<>(); // Of as many event loops as there are.
    private final AtomicBoolean parked = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean due; // A batch is to be taken.
    private volatile boolean closing;

    private BatchWorker(String name, int queueMax, int batchMax, Consumer<List<T>> work, Runnable begin) {
        this.queue = new MpscAtomicArrayQueue<>(queueMax);
        this.batchMax = batchMax;
        this.work = work;
        this.thread = Thread.ofPlatform().name(name).daemon().start(() -> {
            begin.run();
            run();
        });
    }

    /**
     * For tasks that requests wait for, or behind: its thread asks to go before others when it wakes.
     *
     * @param queueMax how many tasks may wait, rounded up to a power of two
     * @param batchMax how many are taken at once
     * @param work carries out a batch, which it must not keep; what it throws is logged, and a bug
     */
    static <T> BatchWorker<T> ofRequests(String name, int queueMax, int batchMax, Consumer<List<T>> work) {
        return new BatchWorker<>(name, queueMax, batchMax, work, TimeSlice::shorten);
    }

    /** The same for tasks that nobody waits for. */
    static <T> BatchWorker<T> inBackground(String name, int queueMax, int batchMax, Consumer<List<T>> work) {
        return new BatchWorker<>(name, queueMax, batchMax, work, () -> {});
    }

    /** Queues a task that is to be begun at once; false if the queue is full or the worker closed, and then nothing will be done. */
    boolean offer(T task) {
        return offer(task, null);
    }

    /** The same for a task that may wait until the turn of that event loop, which calls this, has ended. */
    boolean offer(T task, @Nullable Executor loop) {
        if (closing || !queue.offer(task)) {
            return false;
        }
        if (loop == null) {
            wake();
        } else {
            turns.computeIfAbsent(loop, Turn::new).begin();
        }
        return true;
    }

    private void wake() {
        due = true;
        if (parked.get() && parked.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    /** Of one event loop, at the end of which the worker is waked if the loop has brought a task. On that loop. */
    private final class Turn implements Runnable {
        private final Executor loop;
        private boolean begun;

        Turn(Executor loop) {
            this.loop = loop;
        }

        void begin() {
            if (begun) {
                return;
            }
            begun = true;
            try {
                loop.execute(this);
            } catch (RejectedExecutionException e) {
                run(); // It has just ended for good.
            }
        }

        @Override
        public void run() {
            begun = false; // Before waking: what is offered from now on waits for the end of another turn.
            wake();
        }
    }

    /** How many tasks wait. */
    int waiting() {
        return queue.size();
    }

    /** How many tasks can wait. */
    int capacity() {
        return queue.capacity();
    }

    private void run() {
        List<T> batch = new ArrayList<>(batchMax);
        while (awaitDue()) {
            boolean moreWaits;
            do {
                moreWaits = takeBatch(batch);
            } while (moreWaits); // But not until the queue is empty: what a turn brings meanwhile waits for its end.
        }
    }

    /** Carries out what waits; whether more may have waited. */
    private boolean takeBatch(List<T> batch) {
        // None, where an offer has taken its place in the queue but not put its task there yet.
        int taken = queue.drain(batch::add, batchMax);
        if (taken > 0) {
            carryOut(batch);
            batch.clear();
        }
        return taken == batchMax;
    }

    private void carryOut(List<T> batch) {
        try {
            work.accept(batch);
        } catch (RuntimeException | Error e) {
            LOG.error("A batch of {} tasks failed in a way its work did not expect", batch.size(), e);
        }
    }

    /** Waits until a batch is to be taken; false when closed. */
    private boolean awaitDue() {
        while (!due) {
            if (closing) {
                return false;
            }
            parked.set(true);
            // Looked at again after the flag is up: who waked in between saw no flag and woke nobody.
            if (!due && !closing) {
                LockSupport.park(this);
            }
            parked.set(false);
        }
        due = false; // Before the queue is looked at: what comes too late for that makes it due again.
        return true;
    }

    /** Takes no more tasks, finishes what waits, and returns when that is done. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // What was accepted is finished all the same.
            }
        }
        List<T> rest = new ArrayList<>(batchMax);
        while (!queue.isEmpty()) { // Of turns that have not ended, or offered while the thread ended.
            takeBatch(rest);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
