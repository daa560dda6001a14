package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.cluster.NodeClock;
import java.time.Duration;

/** A node that thinks it is another time. The cluster needs clocks that can skew. */
public final class SkewedClock implements Fault {
    private static final Duration TAKEN_OVER = Duration.ofSeconds(3);

    private final NodeClock clock;

    private SkewedClock(NodeClock clock) {
        this.clock = clock;
    }

    /** @param ahead in whole seconds; negative for a clock that is behind */
    public static SkewedClock of(Cluster cluster, Node node, Duration ahead) {
        SkewedClock skewed = new SkewedClock(cluster.clockOf(node));
        skewed.set(ahead);
        return skewed;
    }

    private void set(Duration ahead) {
        clock.set(ahead);
        try {
            Thread.sleep(TAKEN_OVER); // Nothing tells from outside when the library has read its file again.
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
