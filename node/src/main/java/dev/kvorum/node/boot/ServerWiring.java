package dev.kvorum.node.boot;

import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.consensus.RegisterService;
import dev.kvorum.node.control.MemberOperations;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerDoor;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.AnswerLimits;
import dev.kvorum.node.http.Held;
import dev.kvorum.node.http.NewConnections;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.client.Admission;
import dev.kvorum.node.http.client.ClientMetrics;
import dev.kvorum.node.http.peer.PeerServer;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.PeerService;
import dev.kvorum.node.replica.PeerTopologies;
import dev.kvorum.node.replica.PeerTransport;
import dev.kvorum.node.replica.RemoteCalls;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.node.thread.TimeSlice;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/** The ports and the threads behind them. */
@Configuration(proxyBeanMethods = false)
class ServerWiring {
    /** The event loops of all ports and of the calls to peers: as many as told, however many peers there are. */
    @Bean(destroyMethod = "dispose")
    LoopResources loopResources(HttpSettings http) {
        LoopResources loops = LoopResources.create("kvorum-http", http.loops(), true);
        loops.onServer(true).forEach(loop -> loop.execute(TimeSlice::shorten));
        return loops;
    }

    @Bean
    ReactorResourceFactory reactorResourceFactory(LoopResources loops) {
        ReactorResourceFactory factory = new ReactorResourceFactory();
        factory.setUseGlobalResources(false);
        factory.setLoopResources(loops);
        return factory;
    }

    @Bean
    ClientsLifecycle clientsLifecycle(PortLimits clientLimits) {
        return new ClientsLifecycle(clientLimits.connections());
    }

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> clientPort(
            HttpSettings limits,
            PortLimits clientLimits,
            BodyBudgets bodies,
            Admission admission,
            ClientMetrics metrics,
            MeterRegistry meters) {
        AnswerLimits answers = AnswerLimits.of("clients", bodies.clients(), limits.answerTimeout(), meters);
        return factory -> factory.addServerCustomizers(limited(clientLimits, answers, admission, metrics));
    }

    private static NettyServerCustomizer limited(
            PortLimits limits, AnswerLimits answers, Admission admission, ClientMetrics metrics) {
        NewConnections newcomers = new NewConnections(
                limits, channel -> guard(channel, limits, answers, admission, metrics), metrics::refused);
        return server -> limits.sendLimited(server)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .doOnChannelInit(newcomers);
    }

    private static void guard(
            Channel channel, PortLimits limits, AnswerLimits answers, Admission admission, ClientMetrics metrics) {
        admission.install(channel);
        limits.guardHttp1(channel, metrics::refused);
        AnswerGuard.install(channel, answers);
    }

    @Bean
    PeerService peerService(
            LocalReplica local,
            Membership membership,
            TopologyExchange exchange,
            Repair repair,
            RegisterService registers,
            NodeMembership member,
            PeerTransport transport) {
        PeerService service = new PeerService(local, membership);
        PeerTopologies.serve(service, exchange);
        repair.service().serve(service::onCall);
        registers.serve(service::onCall);
        new MemberOperations(membership.view().self(), member, exchange).serve(service::onCall);
        Announcement.serve(service::onCall, membership, transport::hurry);
        service.requireAll();
        return service;
    }

    @Bean
    PeerServer peerServer(
            NodeSettings node,
            PeerService service,
            Membership membership,
            FrameLimits frameLimits,
            FrameMetrics frameMetrics,
            LoopResources loops,
            PortLimits peerLimits) {
        PeerDoor door = new PeerDoor(
                service,
                membership.view().topology().cluster(),
                frameLimits,
                frameMetrics,
                channel -> Held.of(channel).serves());
        return new PeerServer(node.peerAddress(), node.peerPort(), door, loops, peerLimits);
    }

    @Bean
    Rehearsal rehearsal(
            Membership membership,
            LoopResources loops,
            PeerTransport transport,
            RemoteCalls calls,
            Replicas replicas,
            ReadCoordinator reads,
            Deadlines deadlines) {
        List<EventExecutor> all =
                StreamSupport.stream(loops.onServer(true).spliterator(), false).toList();
        return new Rehearsal(membership, all, transport::isMissing, calls, replicas, reads, deadlines);
    }

    @Bean
    PeerPortLifecycle peerPortLifecycle(
            PeerServer server,
            NodeSettings node,
            Membership membership,
            RemoteCalls calls,
            Rehearsal rehearsal,
            Deadlines deadlines,
            PortLimits clientLimits,
            InFlight inFlight) {
        Announcement announcement = new Announcement(membership, calls, deadlines);
        Runnable beforeClients = () -> rehearsal.make(node.rehearsalMax());
        return new PeerPortLifecycle(server, announcement::make, beforeClients, clientLimits.connections(), inFlight);
    }

    @Bean
    MemberHealth memberHealthIndicator(Membership membership, RocksCellStore store) {
        return new MemberHealth(membership, store::isFailing, store::objection);
    }
}
