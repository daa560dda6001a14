package dev.kvorum.node.boot;

import dev.kvorum.node.admission.Admission;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.core.NodeCore;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.client.ClientHandler;
import dev.kvorum.node.http.client.ClientMetrics;
import dev.kvorum.node.http.client.EntityHandler;
import dev.kvorum.node.http.client.EntityOperations;
import dev.kvorum.node.http.client.TopologyHandler;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What clients' requests meet before the core. */
@Configuration(proxyBeanMethods = false)
class RequestWiring {
    @Bean
    BodyBudgets bodyBudgets(HttpSettings http, PeerSettings peer, MeterRegistry meters) {
        peer.requireRoomFor(http.valueMax());
        long rateMin = http.rateMin().toBytes();
        BodyBudgets bodies =
                new BodyBudgets(new ByteBudget(http.bodyBytes(), rateMin), new ByteBudget(peer.bodyBytes(), rateMin));
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
        return new Admission(http, bodies.clients(), ClientHandler.ENTITY, metrics::refused, meters);
    }

    @Bean
    ClientHandler clientHandler(
            NodeCore core,
            Admission admission,
            HttpSettings http,
            BodyBudgets bodies,
            Deadlines deadlines,
            ClientMetrics metrics) {
        Body values = new Body((int) http.valueMax().toBytes(), bodies.clients(), http.bodyTimeout(), deadlines);
        EntityOperations operations =
                new EntityOperations(core.reads(), core.writes(), core.registers(), core.quorums());
        EntityHandler entities = new EntityHandler(operations, values, admission, metrics);
        TopologyHandler topology =
                new TopologyHandler(core.membership(), core.repair()::verifiedAt, deadlines::now, core::ownLife);
        return new ClientHandler(entities, topology, metrics);
    }
}
