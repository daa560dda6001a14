import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;

/** Callers that ask again at once when they are answered. An error ends it: a store is compared by what it serves. */
final class ClosedLoop {
    private static final int KEYS = 20_000;
    private static final int VALUE_BYTES = 1024;
    private static final long MICROS_MAX = Duration.ofMinutes(1).toMillis() * 1000;
    private static final int DIGITS = 3;
    private static final double MICROS_PER_MILLI = 1000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_SECOND = 1e6;

    private final Store store;
    private final Servers servers;
    private final Servers client = new Servers(List.of(ProcessHandle.current().pid()));
    private final int callers;

    ClosedLoop(Store store, Servers servers, int callers) {
        this.store = store;
        this.servers = servers;
        this.callers = callers;
    }

    private interface Request {
        void send(int caller, ThreadLocalRandom random) throws Exception;
    }

    /** Writes each key once. */
    void fill() throws Exception {
        var _ = all(caller -> {
            for (int key = caller; key < KEYS; key += callers) {
                store.put(caller, key(key), value(ThreadLocalRandom.current()));
            }
            return new Histogram(MICROS_MAX, DIGITS);
        });
    }

    Stretch writes(Duration duration) throws Exception {
        return stretch(duration, (caller, random) -> store.put(caller, key(random.nextInt(KEYS)), value(random)));
    }

    Stretch reads(Duration duration) throws Exception {
        return stretch(duration, (caller, random) -> {
            String key = key(random.nextInt(KEYS));
            if (store.get(caller, key).length != VALUE_BYTES) {
                throw new IllegalStateException("The value of " + key + " has another length");
            }
        });
    }

    private Stretch stretch(Duration duration, Request request) throws Exception {
        long serversBefore = servers.micros();
        long clientBefore = client.micros();
        long machineBefore = Servers.machineMicros();
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        Histogram seen = all(caller -> {
            Histogram own = new Histogram(MICROS_MAX, DIGITS);
            ThreadLocalRandom random = ThreadLocalRandom.current();
            for (long sent = System.nanoTime(); sent < end; ) {
                request.send(caller, random);
                long answered = System.nanoTime();
                own.recordValue(Math.min(MICROS_MAX, (answered - sent) / 1000));
                sent = answered;
            }
            return own;
        });
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        double requests = seen.getTotalCount();
        double serversMicros = servers.micros() - serversBefore;
        double clientMicros = client.micros() - clientBefore;
        double othersMicros = Servers.machineMicros() - machineBefore - serversMicros - clientMicros;
        return new Stretch(
                requests / seconds,
                seen.getValueAtPercentile(50) / MICROS_PER_MILLI,
                seen.getValueAtPercentile(99) / MICROS_PER_MILLI,
                serversMicros / requests,
                clientMicros / requests,
                othersMicros / (seconds * MICROS_PER_SECOND * Runtime.getRuntime().availableProcessors()));
    }

    private interface Caller {
        Histogram run(int number) throws Exception;
    }

    private Histogram all(Caller caller) throws Exception {
        Histogram sum = new Histogram(MICROS_MAX, DIGITS);
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            List<Future<Histogram>> running = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int number = i;
                running.add(threads.submit(() -> caller.run(number)));
            }
            for (Future<Histogram> one : running) {
                sum.add(one.get());
            }
        }
        return sum;
    }

    private static String key(int number) {
        return "key-" + number;
    }

    private static byte[] value(ThreadLocalRandom random) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        return value;
    }
}
