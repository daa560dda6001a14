package dev.kvorum.load.chaos;

import dev.kvorum.history.Copy;
import dev.kvorum.history.History;
import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Checker;
import dev.kvorum.history.check.Promises;
import dev.kvorum.load.chaos.copies.CopyReader;
import dev.kvorum.load.chaos.copies.Source;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Waits until all replicas are identical, by looking at them again and again. */
final class Settling {
    private static final long PAUSE_MILLIS = 500;
    private static final int SECONDS_PER_WORD = 5;

    private final CopyReader reader;
    private final Consumer<String> say;

    Settling(CopyReader reader, Consumer<String> say) {
        this.reader = reader;
        this.say = say;
    }

    /**
     * What the replicas held when it was last looked.
     *
     * @param after how long after the end they were identical; empty if they were not in time
     */
    record Settled(List<Copy> copies, Optional<Duration> after) {}

    /**
     * Returns when they are, or the time is over.
     *
     * @param endNanos when load had ended, and all nodes served again, by {@link System#nanoTime}
     */
    Settled await(List<Source> nodes, long endNanos, Duration max) throws InterruptedException {
        List<Copy> copies = List.of();
        long said = endNanos;
        while (true) {
            String state;
            try {
                copies = reader.read(nodes);
                List<Anomaly> differences = differences(copies);
                Duration after = Duration.ofNanos(System.nanoTime() - endNanos);
                if (differences.isEmpty()) {
                    return new Settled(copies, after.compareTo(max) <= 0 ? Optional.of(after) : Optional.empty());
                }
                state = differences.size() + " copies differ";
            } catch (IOException e) {
                state = "not all replicas can be read: " + e.getMessage();
            }
            long now = System.nanoTime();
            if (now - endNanos > max.toNanos()) {
                return new Settled(copies, Optional.empty());
            }
            if (now - said > Duration.ofSeconds(SECONDS_PER_WORD).toNanos()) {
                said = now;
                say.accept(Duration.ofNanos(now - endNanos).toSeconds() + " s after the end " + state);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static List<Anomaly> differences(List<Copy> copies) {
        Promises promises = Promises.ofPlainQuorums().withConvergence().withTombstonesGoing();
        return new Checker(promises).check(new History(List.of(), List.of(), copies));
    }
}
