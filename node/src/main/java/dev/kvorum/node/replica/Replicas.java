package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The replica of each member of the current topology. Any thread. */
public final class Replicas {
    private final Map<String, ObservedReplica> byMember = new ConcurrentHashMap<>();
    private final LocalReplica local;
    private final PeerAccess others;
    private final ReplicaMetrics metrics;
    private final LongSupplier nanos;
    private final DoubleSupplier chance;
    private volatile Consumer<String> whenTrusted = member -> {};

    /**
     * @param nanos nanoseconds from any origin at or above 0, never back
     * @param chance numbers from 0 to below 1; any thread
     */
    public Replicas(
            LocalReplica local, PeerAccess others, ReplicaMetrics metrics, LongSupplier nanos, DoubleSupplier chance) {
        this.local = local;
        this.others = others;
        this.metrics = metrics;
        this.nanos = nanos;
        this.chance = chance;
    }

    /** Has the listener told whenever a member is trusted again. It must be quick, and call nobody: it is told under the breaker's lock. */
    public void whenTrusted(Consumer<String> listener) {
        whenTrusted = listener;
    }

    /** The replica on that member, made on the spot for one that the latest topology does not name any more. */
    public ObservedReplica on(Member member) {
        ObservedReplica known = byMember.get(member.id());
        return known != null ? known : byMember.computeIfAbsent(member.id(), id -> make(member));
    }

    /** Replicas for exactly these members. Those that stay where they were keep their state. */
    public void become(List<Member> members) {
        // Before replicas go and come: what is made on the spot for a member that has left counts nowhere.
        metrics.become(members.stream().map(Member::id).collect(Collectors.toSet()), this::healthOf, nanos);
        members.forEach(
                member -> byMember.compute(member.id(), (id, known) -> isAt(known, member) ? known : make(member)));
        byMember.keySet().retainAll(members.stream().map(Member::id).collect(Collectors.toSet()));
    }

    private static boolean isAt(@Nullable ObservedReplica known, Member member) {
        if (known == null || !known.zone().equals(member.zone())) {
            return false;
        }
        return !(known.origin() instanceof RemoteReplica remote)
                || remote.address().equals(member.peer());
    }

    private ObservedReplica make(Member member) {
        Replica origin = member.id().equals(local.member()) ? local : others.replica(member);
        HealthLog log = new HealthLog(member, metrics);
        Breaker.Listener listener = (now, why) -> {
            log.changed(now, why);
            if (now == Breaker.State.CLOSED) {
                whenTrusted.accept(member.id());
            }
        };
        ReplicaHealth health = new ReplicaHealth(chance, listener, nanos.getAsLong());
        return new ObservedReplica(origin, member.zone(), health, nanos, metrics);
    }

    private @Nullable ReplicaHealth healthOf(String member) {
        ObservedReplica known = byMember.get(member);
        return known == null ? null : known.health();
    }
}
