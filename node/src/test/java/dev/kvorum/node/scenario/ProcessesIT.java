package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Command.Outcome;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The node in processes of its own, which are killed, terminated and refused. */
@Timeout(600)
@Tag("check")
class ProcessesIT {
    private static final long SEED = 20261121;
    private static final int KEYS = 10_000;
    private static final int BURST = 50;
    private static final int RESTARTS_DEFAULT = 2;
    private static final int RESTARTS = Integer.getInteger("kvorum.test.restarts", RESTARTS_DEFAULT);
    private static final Duration WAITS = Duration.ofSeconds(5);

    @TempDir
    Path directory;

    private List<NodeProcess> nodes = List.of();

    @AfterEach
    void end() {
        nodes.forEach(NodeProcess::close);
    }

    @Test
    void tenThousandKeysAreReadableThroughEveryNodeAndSurviveRestartAndKill() throws IOException {
        nodes = cluster(3);
        startAll();
        Map<String, String> entities = randomEntities();

        List<HttpResponse<byte[]>> written =
                inBursts(entities.keySet(), key -> client(0).putLater(key, entities.getOrDefault(key, ""), "3/3"));
        assertThat(written).allMatch(response -> response.statusCode() == 201);
        assertAllReadable(entities, "2/3", client(1), client(2));

        nodes.getFirst().terminate();
        nodes.get(1).kill();
        nodes.get(2).kill();
        startAll();

        assertAllReadable(entities, "3/3", client(0)); // Each of the three has all.
    }

    /**
     * So that nothing but the node itself can make a request late, more restarts than usual go by the timeouts of a node: {@code -Dkvorum.test.restarts=200}.
     */
    @Test
    void firstRequestsToANodeThatWasKilledFindTheirQuorum() throws IOException {
        nodes = cluster(2);
        String[] options = RESTARTS > RESTARTS_DEFAULT
                ? new String[] {"--kvorum.peer.timeout=2s", "--kvorum.quorum.deadline=5s"}
                : new String[0];
        NodeProcess.startAll(nodes, options);
        eventually(
                "they have found each other",
                () -> client(0).put("found", "", "2/2").statusCode() == 201);
        NodeProcess killed = nodes.get(1);

        for (int restart = 0; restart < RESTARTS; restart++) {
            String key = "missed-" + restart;
            killed.kill();
            assertThat(client(0).put(key, "new", "1/2").statusCode()).isEqualTo(201);
            var _ = killed.launch(options);
            eventually("it takes clients in", () -> new RawClient(killed.apiPort()).isTakenIn());

            HttpResponse<byte[]> first = client(1).get(key, "2/2");

            assertThat(text(first)).as("restart " + restart).isEqualTo("new");
            assertThat(client(0).put(key, "newer", "2/2").statusCode()).isEqualTo(201);
        }
    }

    /** A member tries another that was not there again and again, but not without a pause. */
    private void startAll() {
        startAll("3/3");
    }

    private void startAll(String all) {
        NodeProcess.startAll(nodes);
        nodes.forEach(node -> eventually(
                "it has found the others",
                () -> node.client().put("found", "", all).statusCode() == 201));
    }

    private NodeClient client(int node) {
        return nodes.get(node).client();
    }

    private static Map<String, String> randomEntities() {
        Random random = new Random(SEED);
        Map<String, String> entities = new LinkedHashMap<>();
        while (entities.size() < KEYS) {
            String key = random.ints(1 + random.nextInt(40), 0x20, 0x3000)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            entities.put(key, "value " + random.nextLong());
        }
        return entities;
    }

    private static void assertAllReadable(Map<String, String> entities, String quorum, NodeClient... clients) {
        for (NodeClient client : clients) {
            List<String> keys = List.copyOf(entities.keySet());
            List<HttpResponse<byte[]>> read = inBursts(keys, key -> client.getLater(key, quorum));
            for (int i = 0; i < keys.size(); i++) {
                assertThat(text(read.get(i))).isEqualTo(entities.get(keys.get(i)));
            }
        }
    }

    private static List<HttpResponse<byte[]>> inBursts(
            Collection<String> keys, Function<String, CompletableFuture<HttpResponse<byte[]>>> call) {
        List<HttpResponse<byte[]>> responses = new ArrayList<>();
        List<CompletableFuture<HttpResponse<byte[]>>> burst = new ArrayList<>();
        for (String key : keys) {
            burst.add(call.apply(key));
            if (burst.size() == BURST) {
                burst.forEach(response -> responses.add(response.join()));
                burst.clear();
            }
        }
        burst.forEach(response -> responses.add(response.join()));
        return responses;
    }

    /** All other tests of processes run it unpacked, as its image does. */
    @Test
    void jarServesAndEndsAsTheUnpackedNodeDoes() throws IOException {
        nodes = cluster(1);
        NodeProcess node = nodes.getFirst();

        node.startJar();

        assertThat(node.client().put("by-the-jar", "value", "").statusCode()).isEqualTo(201);
        assertThat(node.terminate()).isEqualTo(143);
        node.start();
        assertThat(text(node.client().get("by-the-jar", ""))).isEqualTo("value");
    }

    @Test
    void terminatedNodeFinishesWhatIsInFlightAndEndsInOrder() throws IOException {
        nodes = cluster(1);
        NodeProcess node = nodes.getFirst();
        node.start();
        List<CompletableFuture<HttpResponse<byte[]>>> writes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            writes.add(node.client().putLater("last-" + i, "value", ""));
        }
        writes.getFirst().join();

        int exitCode = node.terminate();

        assertThat(exitCode).isEqualTo(143); // 128 + SIGTERM, after the shutdown hooks have run.
        List<Integer> acknowledged = Stream.iterate(0, i -> i < writes.size(), i -> i + 1)
                .filter(i -> writes.get(i)
                        .handle((answer, e) -> e == null && answer.statusCode() == 201)
                        .join())
                .toList();
        assertThat(acknowledged).isNotEmpty();
        node.start();
        assertThat(acknowledged)
                .allMatch(i -> node.client().get("last-" + i, "").statusCode() == 200);
    }

    @Test
    void terminatedNodeAnswersTheRequestThatItHasBegun() throws IOException {
        nodes = cluster(1);
        NodeProcess node = nodes.getFirst();
        node.start();
        String head =
                "PUT /v0/entity?id=begun HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";
        try (Socket client = new RawClient(node.apiPort()).open()) {
            assertThat(RawClient.exchange(client, head, "")).startsWith("HTTP/1.1 100"); // It waits for the body now.
            CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(node::terminate);
            eventually("no more clients are taken in", () -> !new RawClient(node.apiPort()).isTakenIn());
            assertThat(exitCode).failsWithin(WAITS); // One that did not wait for the body would have ended.

            assertThat(RawClient.exchange(client, "", "value")).startsWith("HTTP/1.1 201");

            assertThat(exitCode.join()).isEqualTo(143);
        }
        node.start();
        assertThat(text(node.client().get("begun", ""))).isEqualTo("value");
    }

    @Test
    void managementPortTellsHealthAndMetrics() throws IOException {
        nodes = cluster(1);
        NodeProcess node = nodes.getFirst();
        node.start("--kvorum.storage.durability=fsync");
        node.client().put("counted", "value", "");

        assertThat(node.management("/actuator/health/liveness"))
                .startsWith("200")
                .contains("UP");
        assertThat(node.management("/actuator/health/readiness"))
                .startsWith("200")
                .contains("\"epoch\":1");
        assertThat(node.management("/actuator/prometheus"))
                .contains("kvorum_client_operations_seconds_count{operation=\"write\",outcome=\"success\"} 1")
                .contains("kvorum_storage_queue{operation=\"write\"}")
                .contains("kvorum_rocksdb_block_cache_bytes")
                .contains("kvorum_topology_epoch 1.0");
        assertThat(node.output()).contains("\"message\":\"Peers are served on port " + node.peerPort());
    }

    @Test
    void directoryOfAnotherMemberIsRefusedWithTheRemedy() throws IOException {
        nodes = cluster(2);
        nodes.getFirst().start();
        nodes.getFirst().terminate();

        String refusal = refusal("--kvorum.node-id=n2");

        assertThat(refusal)
                .contains("belongs to member \\\"n1\\\", this node is started for member \\\"n2\\\"")
                .contains("--kvorum.data-dir");
    }

    @Test
    void directoryInUseIsRefusedWithTheRemedy() throws IOException {
        nodes = cluster(1);
        nodes.getFirst().start();
        NodeProcess second = new NodeProcess("n1", directory);
        nodes = List.of(nodes.getFirst(), second);

        Process refused = second.launch();

        assertThat(refused.onExit().join().exitValue()).isEqualTo(1);
        assertThat(second.output().lines())
                .contains("This node can't start: the data directory " + second.dataDirectory()
                        + " is in use by another process, " + nodes.getFirst().pid()
                        + ". Stop that process, or give this node a directory of its own with --kvorum.data-dir.");
    }

    @Test
    void onlyItsOwnerMayReadWhatIsInTheDataDirectory() throws IOException {
        nodes = cluster(1);
        NodeProcess node = nodes.getFirst();
        node.start();

        try (Stream<Path> all = Files.walk(node.dataDirectory())) {
            assertThat(all)
                    .hasSizeGreaterThan(8)
                    .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .endsWith("------"));
        }
    }

    @Test
    void startWithoutWhatIsNeededNamesTheOption() throws IOException {
        nodes = cluster(1);

        assertThat(refusal("--kvorum.node-id=")).contains("kvorum.node-id is missing");
        assertThat(refusal("--kvorum.node-id=n7"))
                .contains("does not name this node, \\\"n7\\\"")
                .contains("members are n1");
        assertThat(refusal("--kvorum.topology-file=/no/such/file")).contains("/no/such/file can't be read");
        assertThat(refusal("--kvorum.storage.queue=1")).contains("kvorum.storage.queue is 1, but must be from 2");
        assertThat(refusal("--kvorum.peer.timeout=1ms")).contains("kvorum.peer.timeout is 1ms, but must be from 10ms");
        assertThat(refusal("--kvorum.hints.age-max=20d"))
                .contains("must be shorter than kvorum.repair.tombstone-grace");
    }

    /** Starts the first node with that option, and returns what it says when it ends. */
    private String refusal(String... option) {
        Process process = nodes.getFirst().launch(option);

        assertThat(process.onExit().join().exitValue()).isEqualTo(1);
        assertThat(nodes.getFirst().output()).doesNotContain("stack_trace");
        return nodes.getFirst().output();
    }

    @Test
    void nodeGoesOnByTheEpochThatItHasFollowedThoughItsFileIsOlder() throws IOException {
        nodes = cluster(1);
        NodeProcess node = nodes.getFirst();
        publish(5);
        node.start();
        node.terminate();
        publish(4);

        node.start();

        assertThat(text(node.client().send("GET", "/v0/topology", BodyPublishers.noBody())))
                .contains("\"epoch\":5");
        assertThat(node.output()).contains("has epoch 4, but this node has followed epoch 5");
    }

    /** As versions kept it that took any number for an epoch. */
    @Test
    void nodesThatHaveKeptAnEpochWithoutANextAreRepairedWhileTheyAreStopped() throws IOException {
        nodes = cluster(2);
        startAll("2/2");
        client(0).put("kept", "value", "2/2");
        NodeProcess running = nodes.getFirst();
        String[] lower = {"lower-epoch", "--data-dir=" + running.dataDirectory(), "--epoch=2"};
        Outcome refused = running.command(lower);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output()).contains("A node is running");
        for (NodeProcess node : nodes) {
            node.terminate();
            Path kept = node.dataDirectory().resolve("topology.json");
            Files.writeString(
                    kept, Files.readString(kept).replace("\"epoch\" : 1,", "\"epoch\" : 9223372036854775807,"));
        }
        assertThat(refusal()).contains("epoch is 9223372036854775807").contains("lower-epoch");

        for (NodeProcess node : nodes) {
            Outcome lowered = node.command("lower-epoch", "--data-dir=" + node.dataDirectory(), "--epoch=2");
            assertThat(lowered.exitCode()).as(lowered.output()).isZero();
        }

        startAll("2/2");
        assertThat(text(client(0).send("GET", "/v0/topology", BodyPublishers.noBody())))
                .contains("\"epoch\":2");
        assertThat(text(client(0).get("kept", "2/2"))).isEqualTo("value");
        publish(3);
        nodes.forEach(node -> eventually(
                "the next epoch is in force",
                () -> text(node.client().send("GET", "/v0/topology", BodyPublishers.noBody()))
                        .contains("\"epoch\":3")));
    }

    /** Services whose names are the beginnings of settings. */
    @Test
    void variablesThatKubernetesSetsForServicesAreNoSettings() throws IOException {
        nodes = cluster(1);
        NodeProcess node = nodes.getFirst();
        Map<String, String> links = new LinkedHashMap<>();
        for (String service : List.of(
                "SERVER",
                "KVORUM",
                "KVORUM_PEER",
                "MANAGEMENT_SERVER",
                "SPRING",
                "LOGGING",
                "LOGGING_LEVEL",
                "MANAGEMENT_ENDPOINTS_WEB",
                "KVORUM_HTTP_VALUE_MAX")) {
            links.put(service + "_SERVICE_HOST", "10.0.0.1");
            links.put(service + "_SERVICE_PORT", "80");
            links.put(service + "_SERVICE_PORT_HTTP", "80");
            links.put(service + "_PORT", "tcp://10.0.0.1:80");
            links.put(service + "_PORT_80_TCP", "tcp://10.0.0.1:80");
            links.put(service + "_PORT_80_TCP_PROTO", "tcp");
            links.put(service + "_PORT_80_TCP_PORT", "80");
            links.put(service + "_PORT_80_TCP_ADDR", "10.0.0.1");
        }
        links.put("KVORUM_QUORUM_READ_ACK", "1"); // A setting.

        var _ = node.launchIn(links);
        node.awaitReady();

        assertThat(node.client().put("served", "value", "").statusCode()).isEqualTo(201);
        assertThat(node.output())
                .contains("SERVER_PORT=tcp://10.0.0.1:80 is ignored")
                .contains("KVORUM_PEER_PORT=tcp://10.0.0.1:80 is ignored")
                .doesNotContain("KVORUM_QUORUM_READ_ACK=1 is ignored");
    }

    @Test
    void changedEntryOfTheHostsFileCounts() throws IOException {
        nodes = cluster(2, id -> id + ".kvorum.test");
        Path hosts = directory.resolve("hosts");
        Files.writeString(hosts, "127.0.0.1 n1.kvorum.test\n127.0.0.2 n2.kvorum.test\n");
        Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + hosts);
        for (NodeProcess node : nodes) {
            var _ = node.launchIn(environment, "--kvorum.peer-address=127.0.0.1");
        }
        nodes.forEach(NodeProcess::awaitReady);
        assertThat(client(0).put("moved", "value", "2/2").statusCode()).isEqualTo(504);

        Path changed = directory.resolve("hosts.new");
        Files.writeString(changed, "127.0.0.1 n1.kvorum.test n2.kvorum.test\n");
        Files.move(changed, hosts, StandardCopyOption.ATOMIC_MOVE);

        eventually(
                "n2 is reached at its new address",
                () -> client(0).put("moved", "value", "2/2").statusCode() == 201);
    }

    private void publish(long epoch) throws IOException {
        Path file = directory.resolve("topology.json");
        Topology topology = TopologyJson.read(Files.readAllBytes(file));
        Files.write(
                file,
                TopologyJson.write(new Topology(
                        topology.cluster(),
                        epoch,
                        topology.replicationFactor(),
                        topology.partitions(),
                        topology.members())));
    }

    private List<NodeProcess> cluster(int size) throws IOException {
        return cluster(size, id -> "127.0.0.1");
    }

    /** @param host where the other members reach a node, by its id */
    private List<NodeProcess> cluster(int size, UnaryOperator<String> host) throws IOException {
        List<NodeProcess> processes = Stream.iterate(1, i -> i <= size, i -> i + 1)
                .map(i -> new NodeProcess("n" + i, directory))
                .toList();
        List<Member> members = processes.stream()
                .map(node -> node.member(host.apply(node.id())))
                .toList();
        Files.write(
                directory.resolve("topology.json"), TopologyJson.write(new Topology("processes", 1, 3, 4096, members)));
        return processes;
    }
}
