package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a thread has to do, by the real scheduler. */
@Timeout(60)
class BusyTimeTest {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private static void spin(long nanos) {
        for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
            Thread.onSpinWait();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whoWaitsForAProcessorIsBusy() throws InterruptedException {
        int others = 3 * Runtime.getRuntime().availableProcessors();
        CountDownLatch begun = new CountDownLatch(others);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < others; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                begun.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            }));
        }
        begun.await();
        BusyTime busy = BusyTime.ofThisThread();
        long before = busy.getAsLong();
        long processorBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();

        spin(NANOS);

        long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - processorBefore;
        long all = busy.getAsLong() - before;
        threads.forEach(Thread::interrupt);
        assertThat(processor).as("a fourth is its due").isLessThan(NANOS * 6 / 10);
        assertThat(all).isGreaterThan(NANOS * 8 / 10);
    }

    @Test
    void whoWaitsForAnythingElseIsNot() {
        BusyTime busy = BusyTime.ofThisThread();
        long before = busy.getAsLong();

        for (long end = System.nanoTime() + NANOS; System.nanoTime() < end; ) {
            LockSupport.parkNanos(end - System.nanoTime());
        }

        assertThat(busy.getAsLong() - before).isLessThan(NANOS / 2);
    }

    /** A full heap lets no thread run, and each operation under way makes it fuller. */
    @Test
    void whoIsStoppedByTheCollectorIsBusy() {
        BusyTime busy = BusyTime.ofThisThread();
        long before = busy.getAsLong();
        long processorBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long begun = System.nanoTime();

        while (System.nanoTime() - begun < NANOS) {
            System.gc();
        }

        long all = System.nanoTime() - begun;
        long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - processorBefore;
        assertThat(processor).as("the collector has its own threads").isLessThan(all / 4);
        assertThat(busy.getAsLong() - before).isGreaterThan(all / 2);
    }

    /** An interrupt closes what it reads from. */
    @Test
    void anInterruptDoesNotEndIt() {
        BusyTime busy = BusyTime.ofThisThread();
        Thread.currentThread().interrupt();
        long before = busy.getAsLong();
        assertThat(Thread.interrupted()).isTrue();

        spin(NANOS / 10);

        assertThat(busy.getAsLong()).isGreaterThan(before);
    }
}
