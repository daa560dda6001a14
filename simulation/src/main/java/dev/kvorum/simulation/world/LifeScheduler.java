package dev.kvorum.simulation.world;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** What a process does later, for code that asks Reactor for it: on virtual time, on the one thread there is, and never after its end. */
public final class LifeScheduler implements Scheduler, Scheduler.Worker {
    private final ProcessLife life;
    private final Disposable.Composite tasks = Disposables.composite();

    public LifeScheduler(ProcessLife life) {
        this.life = life;
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Disposable.Swap pending = pending();
        plan(pending, task, unit.toNanos(delay));
        return pending;
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
        Disposable.Swap pending = pending();
        planAgain(pending, task, unit.toNanos(initialDelay), unit.toNanos(period));
        return pending;
    }

    private Disposable.Swap pending() {
        Disposable.Swap pending = Disposables.swap();
        tasks.add(pending);
        return pending;
    }

    private void planAgain(Disposable.Swap pending, Runnable task, long delay, long period) {
        plan(
                pending,
                () -> {
                    task.run();
                    planAgain(pending, task, period, period);
                },
                delay);
    }

    private void plan(Disposable.Swap pending, Runnable task, long delay) {
        if (!pending.isDisposed()) {
            pending.replace(life.after(delay, task)::cancel);
        }
    }

    /** Wall-clock time, as Reactor's own schedulers tell it. */
    @Override
    public long now(TimeUnit unit) {
        return unit.convert(life.clock().wallMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Worker createWorker() {
        return new LifeScheduler(life);
    }

    @Override
    public void dispose() {
        tasks.dispose();
    }

    @Override
    public boolean isDisposed() {
        return tasks.isDisposed();
    }
}
