package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.cluster.NodeClock;
import java.time.Duration;

/** A node that thinks it is another time. The cluster needs clocks that can skew. */
public final class SkewedClock implements Fault {
    private final NodeClock clock;

    private SkewedClock(NodeClock clock) {
        this.clock = clock;
    }

    /** @param ahead in whole seconds; negative for a clock that is behind */
    public static SkewedClock of(Cluster cluster, Node node, Duration ahead) {
        NodeClock clock = cluster.clockOf(node);
        clock.set(ahead);
        return new SkewedClock(clock);
    }

    @Override
    public void close() {
        clock.set(Duration.ZERO);
    }
}
