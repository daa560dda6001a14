package dev.kvorum.node.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread behind a bounded queue, which takes all that waits as one batch: the busier it is, the less each task costs.
 *
 * <p>{@link #offer} may be called by any thread and never blocks.
 */
final class BatchWorker<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchWorker.class);

    private final MpscAtomicArrayQueue<T> queue;
    private final int batchMax;
    private final Consumer<List<T>> work;
    private final AtomicBoolean parked = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean closing;

    /**
     * @param queueMax how many tasks may wait, rounded up to a power of two
     * @param batchMax how many are taken at once
     * @param work carries out a batch, which it must not keep; what it throws is logged, and a bug
     */
    BatchWorker(String name, int queueMax, int batchMax, Consumer<List<T>> work) {
        this.queue = new MpscAtomicArrayQueue<>(queueMax);
        this.batchMax = batchMax;
        this.work = work;
        this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    /** Queues a task; false if the queue is full or the worker closed, and then nothing will be done. */
    boolean offer(T task) {
        if (closing || !queue.offer(task)) {
            return false;
        }
        if (parked.get() && parked.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
        return true;
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
        while (awaitTask()) {
            workThrough();
        }
    }

    private void workThrough() {
        List<T> batch = new ArrayList<>(batchMax);
        while (!queue.isEmpty()) {
            // None, where an offer has taken its place in the queue but not put its task there yet.
            if (queue.drain(batch::add, batchMax) > 0) {
                carryOut(batch);
                batch.clear();
            }
        }
    }

    private void carryOut(List<T> batch) {
        try {
            work.accept(batch);
        } catch (RuntimeException | Error e) {
            LOG.error("A batch of {} tasks failed in a way its work did not expect", batch.size(), e);
        }
    }

    /** Waits until something is queued; false when closed and all is done. */
    private boolean awaitTask() {
        while (queue.isEmpty()) {
            if (closing) {
                return false;
            }
            parked.set(true);
            // Looked at again after the flag is up: an offer in between saw no flag and woke nobody.
            if (queue.isEmpty() && !closing) {
                LockSupport.park(this);
            }
            parked.set(false);
        }
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
        workThrough(); // What was offered while the thread ended.
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
