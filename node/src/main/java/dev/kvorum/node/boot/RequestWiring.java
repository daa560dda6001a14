package dev.kvorum.node.boot;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.consensus.RegisterCoordinator;
import dev.kvorum.node.coordinator.AdaptiveFanOut;
import dev.kvorum.node.coordinator.FanOut;
import dev.kvorum.node.coordinator.HedgeDelay;
import dev.kvorum.node.coordinator.Hedging;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.coordinator.Mending;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.coordinator.ReadMetrics;
import dev.kvorum.node.coordinator.ReadOrder;
import dev.kvorum.node.coordinator.ReadPolicy;
import dev.kvorum.node.coordinator.ReplicaPlans;
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.client.Admission;
import dev.kvorum.node.http.client.ClientHandler;
import dev.kvorum.node.http.client.ClientMetrics;
import dev.kvorum.node.http.client.EntityHandler;
import dev.kvorum.node.http.client.TopologyHandler;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.repair.Verifications;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerTransport;
import dev.kvorum.node.replica.ReplicaMetrics;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.storage.CellStore;
import dev.kvorum.topology.Member;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.resources.LoopResources;

/** What a request passes through, from the innermost to the edge. */
@Configuration(proxyBeanMethods = false)
class RequestWiring {
    @Bean(initMethod = "start")
    DeadlineThread deadlineThread() {
        return new DeadlineThread();
    }

    /** It has no thread of its own: the bean above ends it. */
    @Bean
    Deadlines deadlines(DeadlineThread thread) {
        return thread.deadlines();
    }

    @Bean
    ReplicaMetrics replicaMetrics(MeterRegistry meters) {
        return new ReplicaMetrics(meters);
    }

    @Bean
    LocalReplica localReplica(
            Membership membership,
            CellStore store,
            HybridClock clock,
            ReplicaMetrics metrics,
            Verifications verifications) {
        return new LocalReplica(membership, store, clock, metrics, verifications::isRebuilding);
    }

    @Bean
    FrameLimits frameLimits(PeerSettings peer, HttpSettings http, BodyBudgets bodies) {
        return new FrameLimits(
                PeerProtocol.callMax((int) http.valueMax().toBytes()),
                peer.callsMax(),
                peer.bytesMax().toBytes(),
                peer.timeout(),
                peer.silenceMax(),
                bodies.peers());
    }

    @Bean
    FrameMetrics frameMetrics(MeterRegistry meters) {
        return new FrameMetrics(meters);
    }

    @Bean
    PeerTransport peerTransport(
            PeerSettings peer,
            FrameLimits limits,
            FrameMetrics frames,
            LoopResources loops,
            HttpSettings http,
            Membership membership,
            MeterRegistry meters) {
        String cluster = membership.view().topology().cluster();
        return new PeerTransport(peer, limits, frames, loops, peer.connections(http), cluster, meters);
    }

    @Bean
    Replicas replicas(
            LocalReplica local,
            PeerTransport transport,
            PeerSettings peer,
            ReplicaMetrics metrics,
            HttpSettings http,
            Membership membership,
            TopologyExchange exchange,
            Deadlines deadlines) {
        int answerMax = PeerProtocol.callMax((int) http.valueMax().toBytes());
        Replicas replicas = new Replicas(
                local,
                transport.peerClient(),
                peer,
                answerMax,
                exchange,
                metrics,
                deadlines::now,
                RequestWiring::fraction);
        membership.follow(view -> {
            transport.become(view.peers().stream().map(Member::peer).toList());
            replicas.become(view.topology().members());
        });
        return replicas;
    }

    private static double fraction() {
        return ThreadLocalRandom.current().nextDouble();
    }

    private static int below(int bound) {
        return ThreadLocalRandom.current().nextInt(bound);
    }

    @Bean
    ReplicaPlans replicaPlans(Membership membership, Replicas replicas, ReadSettings read) {
        HedgeDelay hedgeDelay = HedgeDelay.of(read);
        ReadOrder order = new ReadOrder(read.placement(), hedgeDelay, RequestWiring::below);
        return new ReplicaPlans(membership, replicas::on, order, hedgeDelay);
    }

    @Bean(destroyMethod = "close")
    LoadWatch loadWatch() {
        return new LoadWatch();
    }

    @Bean
    FanOut fanOut(ReadSettings read, LoadWatch load) {
        return switch (read.fanOut()) {
            case ALL -> FanOut.ALL;
            case HEDGED -> FanOut.HEDGED;
            case ADAPTIVE -> {
                AdaptiveFanOut adaptive = new AdaptiveFanOut();
                load.follow(() -> true, adaptive::sample);
                yield adaptive;
            }
        };
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
            ReplicaPlans plans,
            HybridClock clock,
            QuorumSettings quorum,
            Deadlines deadlines,
            InFlight inFlight,
            Hints hints) {
        return new WriteCoordinator(plans, clock, quorum.deadline(), deadlines, inFlight, hints);
    }

    @Bean
    ReadPolicy readPolicy(
            ReadSettings read, QuorumSettings quorum, FanOut fanOut, BodyBudgets bodies, MeterRegistry meters) {
        Mending mending = new Mending(read, new ReadRepair(new ReadRepairMetrics(meters)));
        return new ReadPolicy(quorum.deadline(), fanOut, new Hedging(read), read.cancel(), mending, bodies.clients());
    }

    @Bean
    ReadCoordinator readCoordinator(
            ReplicaPlans plans, HybridClock clock, Deadlines deadlines, ReadPolicy policy, MeterRegistry meters) {
        ReadMetrics metrics = new ReadMetrics(meters, policy.fanOut());
        return new ReadCoordinator(plans, clock, System::currentTimeMillis, deadlines, policy, metrics);
    }

    @Bean
    QuorumPolicy quorumPolicy(Membership membership, QuorumSettings quorum) {
        return new QuorumPolicy(membership, quorum);
    }

    @Bean
    BodyBudgets bodyBudgets(HttpSettings http, MeterRegistry meters) {
        long rateMin = http.rateMin().toBytes();
        BodyBudgets bodies = new BodyBudgets(
                new ByteBudget(http.bodyBytes(), rateMin), new ByteBudget(http.peerBodyBytes(), rateMin));
        Gauge.builder("kvorum.http.body.bytes", bodies.clients(), ByteBudget::taken)
                .description(
                        "Bytes of clients' bodies that have arrived or are served, of values that reads hold, and of answers not taken")
                .register(meters);
        Gauge.builder("kvorum.peer.body.bytes", bodies.peers(), ByteBudget::taken)
                .description(
                        "Bytes of other members' calls that have arrived or are served, of replies to them not taken, and of replies in part")
                .register(meters);
        return bodies;
    }

    @Bean
    ClientMetrics clientMetrics(MeterRegistry meters) {
        return new ClientMetrics(meters);
    }

    @Bean
    Admission admission(HttpSettings http, BodyBudgets bodies, ClientMetrics metrics, MeterRegistry meters) {
        return new Admission(http, bodies.clients(), metrics, meters);
    }

    @Bean
    ClientHandler clientHandler(
            ReadCoordinator reads,
            WriteCoordinator writes,
            RegisterCoordinator registers,
            QuorumPolicy policy,
            Membership membership,
            Repair repair,
            Admission admission,
            HttpSettings http,
            BodyBudgets bodies,
            Deadlines deadlines,
            ClientMetrics metrics) {
        Body values = new Body((int) http.valueMax().toBytes(), bodies.clients(), http.bodyTimeout(), deadlines);
        EntityHandler entities = new EntityHandler(reads, writes, registers, policy, values, admission, metrics);
        TopologyHandler topology = new TopologyHandler(membership, repair::verifiedAt, deadlines::now);
        return new ClientHandler(entities, topology, metrics);
    }
}
