package dev.kvorum.node.admission;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a thread has had something to do: the processor time that it took, the time for which it waited for a processor while others had them, and that for which the collector let no thread run. Where several
 * processes share the processors, or the heap is full, the first alone makes a thread look idle that never rests.
 *
 * <p>A collector that lets threads run has no such time, though it may stall those that allocate. Pauses during which the thread was in a call of the system count twice: it then looks a little busier than it is.
 *
 * <p>Confined to the thread that it is made on. Reads a file that is none: the kernel answers at once, from memory.
 */
final class BusyTime implements LongSupplier {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final List<GarbageCollectorMXBean> COLLECTORS =
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .filter(collector -> !collector.getName().endsWith("Cycles")) // Beside which threads run.
                    .toList();
    private static final Path SCHEDULING = Path.of("/proc/thread-self/schedstat");
    private static final int LENGTH_MAX = 64; // Three numbers.

    private final @Nullable FileChannel scheduling;
    private final ByteBuffer text = ByteBuffer.allocateDirect(LENGTH_MAX);
    private long waited;

    private BusyTime(@Nullable FileChannel scheduling) {
        this.scheduling = scheduling;
    }

    /** Of processor time alone where the system does not tell of waits, as one that is not Linux. */
    static BusyTime ofThisThread() {
        try {
            return new BusyTime(FileChannel.open(SCHEDULING)); // Closed when it is collected, as the loop goes with it.
        } catch (IOException e) {
            return new BusyTime(null);
        }
    }

    /** In nanoseconds; only differences mean anything. */
    @Override
    public long getAsLong() {
        return THREADS.getCurrentThreadCpuTime() + waited() + paused();
    }

    private static long paused() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : COLLECTORS) {
            millis += collector.getCollectionTime();
        }
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private long waited() {
        if (scheduling != null && scheduling.isOpen()) {
            try {
                text.clear();
                var _ = scheduling.read(text, 0);
                waited = second(text.flip());
            } catch (IOException e) {
                return waited; // As an interrupt has closed it: what is known does not grow any more.
            }
        }
        return waited;
    }

    /** Of numbers between blanks. */
    private static long second(ByteBuffer numbers) {
        while (numbers.hasRemaining() && numbers.get() != ' ') {
            // The first is processor time as of the last tick.
        }
        long second = 0;
        while (numbers.hasRemaining()) {
            int digit = numbers.get() - '0';
            if (digit < 0) {
                return second;
            }
            second = 10 * second + digit;
        }
        return second;
    }
}
