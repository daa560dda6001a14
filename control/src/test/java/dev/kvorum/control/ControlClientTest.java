package dev.kvorum.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said over the wire, to a server that answers as the test says. */
class ControlClientTest {
    private static final String REPORT = """
            {"member": "n4", "cluster": "demo", "partitions": 4096, "incarnation": "5f0c2a9e-6c1f-4c3a-9a55-0d8f4b8f3c11",
             "epoch": 7, "digest": "", "named": true, "rebuilding": 0, "life": {"start": 1, "loss": null},
             "transfer": {"without": [], "partitions": 1640, "verified": 812, "cells": 99000, "bytes": 13860000,
                          "bytesPerSecond": 2345678, "bytesPerSecondMax": 8388608, "failure": ""},
             "former": {"pending": 0, "dropped": 17, "failure": ""},
             "disk": {"free": 52613349376, "used": 104857600},
             "past": {"awayMillis": 7, "graceMillis": 864000000}}
            """;

    private final Map<String, String> asked = new ConcurrentHashMap<>();
    private final ControlClient client = new ControlClient(Duration.ofSeconds(5));
    private HttpServer server;
    private NodeControl node;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        node = client.node(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private void answer(String path, int status, String body) {
        server.createContext(path, exchange -> {
            try (exchange) {
                asked.put(
                        exchange.getRequestURI().toString(),
                        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
    }

    private static Topology topology() {
        URI address = URI.create("http://10.0.0.4:9090");
        return new Topology(
                "demo", 7, 1, 16, List.of(new Member("n4", address, address, "a", MemberState.ACTIVE, 1, null)));
    }

    @Test
    void clusterIsObservedThroughOneNode() {
        ClusterReport report = new ClusterReport(
                topology(),
                Map.of("n4", MemberReportJson.readReport(REPORT.getBytes(StandardCharsets.UTF_8))),
                Map.of("n3", "another member answers"));
        answer("/actuator/cluster", 200, new String(ControlJson.write(report), StandardCharsets.UTF_8));

        assertThat(node.observe(List.of(), List.of())).isEqualTo(report);
        assertThat(node.observe(
                        List.of(new Peer("n5", URI.create("http://h:1"))),
                        List.of(new Peer("n6", URI.create("http://h:2")))))
                .isEqualTo(report);
        assertThat(asked.keySet())
                .containsExactlyInAnyOrder(
                        "/actuator/cluster?others=&former=",
                        "/actuator/cluster?others=n5%3Dhttp%3A%2F%2Fh%3A1&former=n6%3Dhttp%3A%2F%2Fh%3A2");
    }

    @Test
    void sizesAreByMember() {
        answer(
                "/actuator/cluster/sizes",
                200,
                new String(
                        ControlJson.writeSizes(
                                Map.of("n4", new PartitionSizes(new long[] {10, 20}, new long[] {1, 2}))),
                        StandardCharsets.UTF_8));

        assertThat(node.sizesOfAll())
                .hasSize(1)
                .hasEntrySatisfying("n4", sizes -> assertThat(sizes.of(1)).isEqualTo(20));
    }

    @Test
    void topologyIsPublishedAsAParameter() {
        answer("/actuator/cluster/topology", 204, "");

        node.publishToAll(topology(), Set.of("n9"));

        assertThat(asked.get("/actuator/cluster/topology"))
                .contains("\"gone\":\"n9\"")
                .contains("\\\"epoch\\\"");
    }

    @Test
    void refusalHasTheWordsAndTheStatusOfTheNode() {
        answer("/actuator/topology", 409, "{\"status\": 409, \"detail\": \"epoch is 9, but must be 8\"}");

        assertThatThrownBy(() -> node.publish(topology()))
                .hasMessage("epoch is 9, but must be 8")
                .asInstanceOf(InstanceOfAssertFactories.type(ControlException.class))
                .satisfies(e -> assertThat(e.status()).isEqualTo(409))
                .satisfies(e -> assertThat(e.isRefusal()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "{}", "[]", "null", "{\"topology\": {}, \"reports\": {}}"})
    void whatIsNoAnswerOfANodeIsSaidSo(String answer) {
        answer("/actuator", 200, answer);

        assertThatThrownBy(() -> node.topology())
                .isInstanceOf(ControlException.class)
                .hasMessageContaining("is not what a node answers");
        assertThatThrownBy(() -> node.observe(List.of(), List.of())).isInstanceOf(ControlException.class);
        assertThatThrownBy(() -> node.report()).isInstanceOf(ControlException.class);
    }

    @Test
    void answerWithoutEndIsNotKept() {
        answer("/actuator/topology", 200, " ".repeat(5 << 20));

        assertThatThrownBy(() -> node.topology())
                .isInstanceOf(ControlException.class)
                .hasMessageContaining("can't be asked");
    }

    @Test
    void nodeThatIsNotThereCanNotBeAsked() {
        server.stop(0);

        assertThatThrownBy(() -> node.topology())
                .asInstanceOf(InstanceOfAssertFactories.type(ControlException.class))
                .satisfies(e -> assertThat(e.status()).isEqualTo(ControlException.UNREACHABLE))
                .satisfies(e -> assertThat(e.isRefusal()).isFalse());
    }

    @Test
    void settledIsReadAsItIsWritten() {
        Settled settled = new Settled(9, Set.of("n1", "n2"));

        assertThat(ControlJson.readSettled(ControlJson.write(settled))).isEqualTo(settled);
        assertThat(TopologyJson.read(TopologyJson.write(topology()))).isEqualTo(topology());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"epoch\": \"x\", \"gone\": []}", "{\"epoch\": 1, \"gone\": 3}"})
    void whatIsNotSettledIsRefused(String json) {
        assertThatThrownBy(() -> ControlJson.readSettled(json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"n4", "=http://h:1", "n4=ftp://h:1", "n4=http://h", "n4=:", "n4=http://h:1,"})
    void whatIsNoPeerIsRefused(String peers) {
        assertThatThrownBy(() -> Peer.read(peers)).hasMessageContaining("must be like n4=http://10.0.0.7:9090");
    }
}
