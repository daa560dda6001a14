package dev.kvorum.node.boot;

import dev.kvorum.node.admission.Admission;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.core.NodeCore;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerDoor;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.AnswerLimits;
import dev.kvorum.node.http.Held;
import dev.kvorum.node.http.NewConnections;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.client.ClientMetrics;
import dev.kvorum.node.http.peer.PeerServer;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerTransport;
import dev.kvorum.node.storage.rocks.RocksStore;
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
    PeerServer peerServer(
            NodeSettings node,
            NodeCore core,
            PeerIdentity self,
            FrameLimits frameLimits,
            FrameMetrics frameMetrics,
            LoopResources loops,
            PortLimits peerLimits) {
        PeerDoor door = new PeerDoor(
                core.service(),
                self,
                frameLimits,
                frameMetrics,
                channel -> Held.of(channel).serves());
        return new PeerServer(node.peerAddress(), node.peerPort(), door, loops, peerLimits);
    }

    @Bean
    Rehearsal rehearsal(NodeCore core, LoopResources loops, PeerTransport transport, Deadlines deadlines) {
        List<EventExecutor> all =
                StreamSupport.stream(loops.onServer(true).spliterator(), false).toList();
        return new Rehearsal(core, all, transport::isMissing, deadlines);
    }

    @Bean
    PeerPortLifecycle peerPortLifecycle(
            PeerServer server, NodeSettings node, NodeCore core, Rehearsal rehearsal, PortLimits clientLimits) {
        Runnable beforeClients = () -> {
            rehearsal.make(node.rehearsalMax());
            // A node knows of a wrong clock, or of a disk that is an older copy, before it serves clients.
            core.heartbeat().beat().block();
        };
        return new PeerPortLifecycle(
                server, core.announcement()::make, beforeClients, clientLimits.connections(), core.inFlight());
    }

    @Bean
    MemberHealth memberHealthIndicator(Membership membership, RocksStore store, NodeCore core) {
        return new MemberHealth(membership, store::isFailing, store::objection, core::clockObjection, core::ownLife);
    }
}
