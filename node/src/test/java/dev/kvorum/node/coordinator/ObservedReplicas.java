package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaHealth;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.topology.Member;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.LongSupplier;

/** Replicas as coordinators see them, on a clock of the test and without chance. */
final class ObservedReplicas {
    private ObservedReplicas() {}

    static ObservedReplica of(Replica origin, String zone, LongSupplier nanos) {
        ReplicaHealth health = new ReplicaHealth(() -> 0, (state, why) -> {}, nanos.getAsLong());
        return new ObservedReplica(origin, zone, health, nanos, new ReplicaMetrics(new SimpleMeterRegistry()));
    }

    static ObservedReplica on(Member member, LongSupplier nanos) {
        return of(new ManualReplica(member.id()), member.zone(), nanos);
    }
}
