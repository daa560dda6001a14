package dev.kvorum.operator.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What is said over the wire, by the examples of docs/operations.md. */
class HttpNodesTest {
    private static final String REPORT = """
            {"member": "n4", "cluster": "demo", "partitions": 4096, "incarnation": "5f0c2a9e-6c1f-4c3a-9a55-0d8f4b8f3c11",
             "epoch": 7, "digest": "", "named": true, "rebuilding": 0, "life": {"start": 1, "loss": null},
             "transfer": {"without": [], "partitions": 1640, "verified": 812, "cells": 99000, "bytes": 13860000,
                          "bytesPerSecond": 2345678, "bytesPerSecondMax": 8388608, "failure": "n2: no answer within 2000 ms"},
             "former": {"pending": 0, "dropped": 17, "failure": ""},
             "disk": {"free": 52613349376, "used": 104857600},
             "past": {"awayMillis": 7, "graceMillis": 864000000}}
            """;

    private final Map<String, String> asked = new ConcurrentHashMap<>();
    private HttpServer server;
    private HttpNodes nodes;
    private Member member;
    private Topology topology;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor()); // Some answers take long.
        server.start();
        nodes = new HttpNodes(Member::peer);
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        member = new Member("n4", address, address, "default", MemberState.ACTIVE, 1, null);
        topology = new Topology("demo", 7, 1, 16, List.of(member));
    }

    @AfterEach
    void stop() {
        nodes.close();
        server.stop(0);
    }

    @Test
    void aReportIsUnderstoodAlsoWhereItSaysMoreThanIsAsked() {
        answer("/actuator/member", 200, REPORT);

        MemberReport report = nodes.report(member).orElseThrow();

        assertThat(report.incarnation()).isEqualTo(UUID.fromString("5f0c2a9e-6c1f-4c3a-9a55-0d8f4b8f3c11"));
        assertThat(report.epoch()).isEqualTo(7);
        assertThat(report.transfer().isDone()).isFalse();
        assertThat(report.transfer().failure()).startsWith("n2");
        assertThat(report.disk().free()).isEqualTo(52613349376L);
        assertThat(report.past()).isEqualTo(new MemberReport.Past(7, 864000000));
    }

    @Test
    void theTopologyAndSizesAreUnderstood() {
        answer("/actuator/topology", 200, new String(TopologyJson.write(topology), StandardCharsets.UTF_8));
        answer("/actuator/member/sizes", 200, "{\"bytes\": [10, 20], \"cells\": [1, 2]}");

        assertThat(nodes.topology(member)).contains(topology);
        assertThat(nodes.sizes(member).orElseThrow().of(1)).isEqualTo(20);
        assertThat(nodes.sizes(member).orElseThrow().of(7)).isZero();
    }

    @Test
    void aTopologyIsOffered() {
        answer("/actuator/topology/offer", 200, new String(TopologyJson.write(topology), StandardCharsets.UTF_8));

        assertThat(nodes.push(member, topology)).isEqualTo(new ClusterNodes.Answer.Done());
        String sent = asked.get("/actuator/topology/offer");
        String offered = JsonMapper.shared().readTree(sent).path("topology").asString();
        assertThat(TopologyJson.read(offered.getBytes(StandardCharsets.UTF_8))).isEqualTo(topology);
    }

    @Test
    void aNodeThatStaysWithAnotherTopologyHasRefusedIt() {
        Topology other =
                new Topology(topology.cluster(), topology.epoch(), 1, topology.partitions() + 1, topology.members());
        answer("/actuator/topology/offer", 200, new String(TopologyJson.write(other), StandardCharsets.UTF_8));

        assertThat(nodes.push(member, topology)).isInstanceOf(ClusterNodes.Answer.Refused.class);
    }

    @Test
    void aRefusalIsPassedOnInItsOwnWords() {
        answer("/actuator/topology/offer", 400, "{\"status\": 400, \"detail\": \"epoch is 9, but must be at most 8\"}");

        assertThat(nodes.push(member, topology))
                .isEqualTo(new ClusterNodes.Answer.Refused("epoch is 9, but must be at most 8"));
    }

    @Test
    void whoIsGoneIsToldWithTheEpoch() {
        answer("/actuator/member/settled", 204, "");

        assertThat(nodes.settle(member, 7, List.of("n2"))).isEqualTo(new ClusterNodes.Answer.Done());
        assertThat(asked.get("/actuator/member/settled"))
                .contains("\"epoch\":\"7\"")
                .contains("\"gone\":\"n2\"");
    }

    @Test
    void whatIsNoAnswerIsNone() {
        answer("/actuator/member", 200, "hello");
        answer("/actuator/topology", 503, "");
        answer("/actuator/topology/offer", 503, "");

        assertThat(nodes.report(member)).isEmpty();
        assertThat(nodes.topology(member)).isEmpty();
        assertThat(nodes.push(member, topology)).isInstanceOf(ClusterNodes.Answer.Unreachable.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "null", "[]", "{\"member\": \"n4\", \"cluster\": \"demo\"}"})
    void aReportThatLacksWhatDecisionsNeedIsNone(String report) {
        answer("/actuator/member", 200, report);

        assertThat(nodes.report(member)).isEmpty();
    }

    @Test
    void aNodeThatNeverComesToTheEndOfItsAnswerIsNotWaitedForLonger() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        server.createContext("/actuator/member", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            trickle(exchange.getResponseBody());
            ended.countDown();
        });

        assertThat(nodes.report(member)).isEmpty();
        ended.await(); // It was let go as well.
    }

    private static void trickle(OutputStream body) {
        try {
            while (true) {
                body.write(' ');
                body.flush();
                LockSupport.parkNanos(1_000_000);
            }
        } catch (IOException e) {
            // The connection was closed, as it should be.
        }
    }

    @Test
    void anAnswerWithoutEndIsNotKept() {
        server.createContext("/actuator/member/sizes", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] spaces = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            for (int count = 0; count < 5; count++) {
                exchange.getResponseBody().write(spaces);
            }
            exchange.getResponseBody().write("{\"bytes\": [1]}".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });

        assertThat(nodes.sizes(member)).isEmpty();
    }

    @Test
    void aNodeThatIsNotThereCanNotBeAsked() {
        server.stop(0);

        assertThat(nodes.report(member)).isEmpty();
        assertThat(nodes.push(member, topology)).isInstanceOf(ClusterNodes.Answer.Unreachable.class);
    }

    private void answer(String path, int status, String body) {
        server.createContext(path, exchange -> {
            try (exchange) {
                asked.put(path, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
    }
}
