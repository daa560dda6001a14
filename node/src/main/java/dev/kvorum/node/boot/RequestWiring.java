package dev.kvorum.node.boot;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.coordinator.ReplicaPlans;
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.client.Admission;
import dev.kvorum.node.http.client.ClientHandler;
import dev.kvorum.node.http.client.ClientMetrics;
import dev.kvorum.node.http.client.EntityHandler;
import dev.kvorum.node.http.client.TopologyHandler;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerTransport;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.storage.CellStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.LoopResources;

/** What a request passes through, from the innermost to the edge. */
@Configuration(proxyBeanMethods = false)
class RequestWiring {
    @Bean(destroyMethod = "dispose")
    Scheduler timer() {
        return Schedulers.newSingle("kvorum-timer", true);
    }

    @Bean
    ReplicaMetrics replicaMetrics(MeterRegistry meters) {
        return new ReplicaMetrics(meters);
    }

    @Bean
    LocalReplica localReplica(
            NodeSettings node, Membership membership, CellStore store, HybridClock clock, ReplicaMetrics metrics) {
        return new LocalReplica(node.nodeId(), key -> membership.view().partitionOf(key), store, clock, metrics);
    }

    @Bean
    PeerTransport peerTransport(PeerSettings peer, LoopResources loops, Membership membership) {
        return new PeerTransport(peer, loops, membership.view().topology().cluster());
    }

    @Bean
    Replicas replicas(
            LocalReplica local,
            PeerTransport transport,
            PeerSettings peer,
            Scheduler timer,
            ReplicaMetrics metrics,
            HttpSettings http,
            Membership membership) {
        int answerMax = PeerProtocol.callMax((int) http.valueMax().toBytes());
        Replicas replicas = new Replicas(local, transport, peer, answerMax, timer, metrics);
        membership.follow(view -> replicas.become(view.topology().members()));
        return replicas;
    }

    @Bean
    ReplicaPlans replicaPlans(Membership membership, Replicas replicas) {
        return new ReplicaPlans(membership, replicas::on);
    }

    @Bean
    InFlight inFlight(MeterRegistry meters) {
        InFlight inFlight = new InFlight();
        Gauge.builder("kvorum.client.writes.in.flight", inFlight, InFlight::writes)
                .description("Writes that not all replicas have answered yet")
                .register(meters);
        return inFlight;
    }

    @Bean
    WriteCoordinator writeCoordinator(
            ReplicaPlans plans, HybridClock clock, QuorumSettings quorum, Scheduler timer, InFlight inFlight) {
        return new WriteCoordinator(plans, clock, quorum.deadline(), timer, inFlight);
    }

    @Bean
    ReadCoordinator readCoordinator(ReplicaPlans plans, HybridClock clock, QuorumSettings quorum, Scheduler timer) {
        return new ReadCoordinator(plans, clock, System::currentTimeMillis, quorum.deadline(), timer);
    }

    @Bean
    QuorumPolicy quorumPolicy(Membership membership, QuorumSettings quorum) {
        return new QuorumPolicy(membership, quorum);
    }

    /** One for both ports: what it bounds is the memory of the node. */
    @Bean
    ByteBudget byteBudget(HttpSettings http, MeterRegistry meters) {
        ByteBudget budget = new ByteBudget(http.bodyBytes());
        Gauge.builder("kvorum.http.body.bytes", budget, ByteBudget::taken)
                .description(
                        "Bytes of bodies that are arriving or being served, and of answers that clients have not taken")
                .register(meters);
        return budget;
    }

    @Bean
    ClientHandler clientHandler(
            ReadCoordinator reads,
            WriteCoordinator writes,
            QuorumPolicy policy,
            Membership membership,
            HttpSettings http,
            ByteBudget budget,
            Scheduler timer,
            MeterRegistry meters) {
        ClientMetrics metrics = new ClientMetrics(meters);
        Body values = new Body((int) http.valueMax().toBytes(), budget, http.bodyTimeout(), timer);
        EntityHandler entities =
                new EntityHandler(reads, writes, policy, values, new Admission(http, meters), budget, metrics);
        return new ClientHandler(entities, new TopologyHandler(membership), metrics);
    }
}
