package dev.kvorum.node.boot;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.consensus.SettledPartitions;
import dev.kvorum.node.consensus.Settling;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.http.client.Admission;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.repair.RepairMetrics;
import dev.kvorum.node.repair.RepairParts;
import dev.kvorum.node.repair.Restraint;
import dev.kvorum.node.repair.Verifications;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerTransport;
import dev.kvorum.node.replica.RemoteCalls;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.storage.RocksCellStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Repair, and who drives it. */
@Configuration(proxyBeanMethods = false)
class RepairWiring {
    private static final double FULL = 0.25; // Of the queue of writes.

    @Bean
    RemoteCalls peerCalls(PeerTransport transport, PeerSettings peer, HttpSettings http, TopologyExchange exchange) {
        return new RemoteCalls(
                transport.client(),
                peer,
                PeerProtocol.callMax((int) http.valueMax().toBytes()),
                exchange);
    }

    /** @param replicas only because it tells the transport who the members are */
    @Bean
    Repair repair(
            Membership membership,
            RocksCellStore store,
            HybridClock clock,
            ReplicaMetrics replicaMetrics,
            RemoteCalls calls,
            Replicas replicas,
            Deadlines deadlines,
            Admission admission,
            Verifications verifications,
            LifeKeeper life,
            LoadWatch load,
            Settling settling,
            RepairSettings settings,
            MeterRegistry meters) {
        Restraint restraint = new Restraint(settings.loadMax() / 100.0, load::wake);
        load.follow(restraint::needsLoad, restraint::sample);
        RepairMetrics metrics = new RepairMetrics(meters);
        metrics.watchSeconds(
                "kvorum.repair.rest",
                "How long this node rests for each KiB that it reads to repair or to move data, as processors are busy",
                () -> restraint.nanosPerKib() / (double) TimeUnit.SECONDS.toNanos(1));
        BooleanSupplier busy = () -> admission.isWaiting() || store.fullness() > FULL;
        // A member that rebuilds answers others who repair all the same: they look at what it has.
        Replica local = new LocalReplica(membership, store, clock, replicaMetrics, partition -> false);
        RepairParts parts = new RepairParts(
                membership,
                new SettledPartitions(store.partitions(), settling),
                verifications,
                local,
                calls,
                deadlines,
                System::currentTimeMillis,
                life::since,
                () -> ThreadLocalRandom.current().nextLong(),
                restraint::askNanosPerKib,
                busy);
        Repair repair = new Repair(parts, settings, metrics);
        membership.follow(repair::lookForLost); // What an epoch says of incarnations.
        return repair;
    }

    @Bean
    RepairLifecycle repairLifecycle(Repair repair) {
        return new RepairLifecycle(repair);
    }

    @Bean
    RepairEndpoint repairEndpoint(Repair repair, Membership membership) {
        return new RepairEndpoint(repair, membership);
    }
}
