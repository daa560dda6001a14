package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.StrangerCrowd;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node in a process that may open few files, while strangers hold all connections that its three ports give them. */
@Timeout(120)
@Tag("check")
class FewFilesIT {
    private static final int FILES = 512;
    private static final int STRANGERS = 600; // At each port: each alone would take all files.
    private static final int WRITES = 150;
    private static final int WRITES_BETWEEN = 30; // Before those who were refused come again.
    private static final int CONNECTIONS_MIN = 8; // That a port gives them, at least.
    private static final int TABLES_MIN = 2;
    private static final String ANOTHER = "127.0.0.2";
    private static final String VALUE = "x".repeat(50_000); // A dozen files of the database in all.
    private static final String PUT =
            "PUT /v0/entity?id=key-%d HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + VALUE.length()
                    + "\r\n\r\n";
    private static final String HEALTH =
            "GET /actuator/health/readiness HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    @TempDir
    Path directory;

    private NodeProcess node;

    @BeforeEach
    void start() throws IOException {
        node = new NodeProcess("n1", directory);
        Files.write(
                directory.resolve("topology.json"),
                TopologyJson.write(new Topology("few-files", 1, 1, 16, List.of(node.member()))));
        var _ = node.launchBy(List.of("prlimit", "--nofile=" + FILES), "--kvorum.storage.memtable=1MB");
        node.awaitReady();
    }

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void strangersOnAllPortsCostNeitherHealthNorWrites() throws IOException {
        double before = connections();
        List<Integer> ports = List.of(node.apiPort(), node.peerPort(), node.managementPort());
        try (StrangerCrowd strangers = new StrangerCrowd(ports, STRANGERS)) {
            for (int i = 0; i < WRITES; i++) {
                assertThat(exchange(node.managementPort(), HEALTH, "")).startsWith("HTTP/1.1 200");
                assertThat(exchange(node.apiPort(), PUT.formatted(i), VALUE)).startsWith("HTTP/1.1 201");
                if (i % WRITES_BETWEEN == 0) {
                    assertThat(strangers.comeAgain()).isPositive();
                }
            }
            for (String port : List.of("clients", "peers", "management")) {
                eventually(
                        "some are refused at the port of " + port,
                        () -> metric("kvorum_connections_refused_total").stream()
                                .anyMatch(line -> line.contains(port)));
            }
            eventually("others have connections", () -> connections() > before + ports.size() * CONNECTIONS_MIN);
        }

        eventually("the strangers are counted out", () -> connections() <= before);
        assertThat(tables()).as("files that the database has written").isGreaterThan(TABLES_MIN);
        assertThat(node.output()).doesNotContain("Too many open files", "\"level\":\"ERROR\"");
    }

    /** Of all ports together; no number if that is not told. */
    private double connections() {
        double sum = Stream.of(
                        "kvorum_http_connections", "kvorum_peer_port_connections", "kvorum_management_connections")
                .flatMap(name -> metric(name).stream())
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
        return sum == 0 ? Double.NaN : sum; // The question itself needs a connection.
    }

    /** The lines of a metric that are not zero. */
    private List<String> metric(String name) {
        return node.management("/actuator/prometheus")
                .lines()
                .filter(line -> line.matches(name + "(\\{.*)? .*") && !line.endsWith(" 0.0"))
                .toList();
    }

    private long tables() throws IOException {
        try (Stream<Path> files = Files.list(node.dataDirectory().resolve("cells"))) {
            return files.filter(file -> file.toString().endsWith(".sst")).count();
        }
    }

    private static String exchange(int port, String head, String body) throws IOException {
        try (Socket client = new RawClient(port).openFrom(ANOTHER)) {
            return RawClient.exchange(client, head, body);
        }
    }
}
