package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A node that thinks it is another time. Its process asks a library for it that is loaded before the system's (libfaketime) and adds what a
 * file says, which it reads again each second; time that only measures durations goes on as ever.
 */
public final class SkewedClock implements Fault {
    private static final Duration TAKEN_OVER = Duration.ofMillis(1500);

    private final Path file;

    private SkewedClock(Path file) {
        this.file = file;
    }

    /** @param ahead negative for a clock that is behind */
    public static SkewedClock of(Cluster cluster, Node node, Duration ahead) {
        SkewedClock clock = new SkewedClock(cluster.clockOf(node));
        clock.set(ahead);
        return clock;
    }

    private void set(Duration ahead) {
        try {
            Files.writeString(file, String.format("%+d", ahead.toSeconds()));
            // Nothing tells from outside when the library has read it again.
            Thread.sleep(TAKEN_OVER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        set(Duration.ZERO);
    }
}
