package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.topology.Member;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Three replicas that answer when told to, seen from {@code n1}, on a clock that stands still and a timer that the test moves. */
final class ManualCluster {
    static final long NOW = 1_700_000_000_000L;
    static final Duration DEADLINE = Duration.ofSeconds(5);

    final ManualReplica n1 = new ManualReplica("n1");
    final ManualReplica n2 = new ManualReplica("n2");
    final ManualReplica n3 = new ManualReplica("n3");
    final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    final HybridClock clock = new HybridClock(() -> NOW, 42, Duration.ofSeconds(10), 0);
    final InFlight inFlight = new InFlight();
    private final Map<String, ManualReplica> replicas = new LinkedHashMap<>();

    ManualCluster() {
        replicas.put("n1", n1);
        replicas.put("n2", n2);
        replicas.put("n3", n3);
    }

    WriteCoordinator writes() {
        return new WriteCoordinator(plans(), clock, DEADLINE, timer, inFlight);
    }

    ReadCoordinator reads() {
        return new ReadCoordinator(plans(), clock, () -> NOW, DEADLINE, timer);
    }

    ReplicaPlans plans() {
        Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3"));
        return new ReplicaPlans(membership, this::on);
    }

    private ManualReplica on(Member member) {
        ManualReplica replica = replicas.get(member.id());
        if (replica == null) {
            throw new AssertionError("there is no replica on " + member.id());
        }
        return replica;
    }
}
