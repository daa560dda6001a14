package dev.kvorum.node.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** A loop whose tasks run when the test runs them, and whose time is what the test says. */
final class ManualLoop implements Scheduler {
    final List<Runnable> tasks = new ArrayList<>();
    final List<Delayed> delayed = new ArrayList<>();
    private long nanos;
    private long busyNanos;

    /** A gate of this loop. */
    Gate gate(IntSupplier limit, Duration burst, GateListener listener) {
        return new Gate(this, () -> nanos, () -> busyNanos, limit, burst, listener);
    }

    void passBusy(Duration time) {
        busyNanos += time.toNanos();
        passIdle(time);
    }

    void passIdle(Duration time) {
        nanos += time.toNanos();
    }

    void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.removeFirst().run();
        }
    }

    /** Those that are due. */
    void runDue() {
        List<Delayed> due = delayed.stream().filter(one -> one.due <= nanos).toList();
        delayed.removeAll(due);
        due.forEach(Delayed::run);
    }

    /** All, and those that come of them, each in its time. */
    void runDelayed() {
        while (!delayed.isEmpty()) {
            Delayed next = delayed.removeFirst();
            nanos = Math.max(nanos, next.due);
            next.run();
        }
    }

    @Override
    public Disposable schedule(Runnable task) {
        tasks.add(task);
        return Disposables.disposed();
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        delayed.add(new Delayed(task, nanos + unit.toNanos(delay)));
        return Disposables.disposed();
    }

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException();
    }

    record Delayed(Runnable task, long due) {
        void run() {
            task.run();
        }
    }
}
