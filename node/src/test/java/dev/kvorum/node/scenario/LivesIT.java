package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.control.ControlClient;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.command.Commands;
import dev.kvorum.node.storage.rocks.StoredBytes;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Loss;
import dev.kvorum.topology.change.MemberReport.Loss.Extent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a person is told of a member whose disk lacks something, or whose address leads to another: by its readiness, its report, the topology and the command {@code status}. */
@Timeout(120)
@Tag("check")
class LivesIT {
    @TempDir
    Path directory;

    private final ControlClient client = new ControlClient(Duration.ofSeconds(20));
    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 3, "--kvorum.storage.durability=async");
        assertThat(cluster.node(0).client().put("key", "value", "3/3").statusCode())
                .isEqualTo(201);
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private URI management(TestNode node) {
        return URI.create("http://127.0.0.1:" + node.managementPort());
    }

    private MemberReport report(TestNode node) {
        return client.node(management(node)).report();
    }

    private static JsonNode get(NodeClient from, String path) {
        return JsonMapper.shared()
                .readTree(from.send("GET", path, BodyPublishers.noBody()).body());
    }

    private static JsonNode readiness(TestNode node) {
        JsonNode health = get(new NodeClient(node.managementPort()), "/actuator/health/readiness");
        return health.path("components").path("member").path("details").path("life");
    }

    private String status() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, UTF_8);
        assertThat(Commands.run(new String[] {"status", "--node=" + management(cluster.node(0))}, out, out))
                .isZero();
        return said.toString(UTF_8);
    }

    private void assertWholeAgain(TestNode node) {
        eventually("the disk is complete again", () -> report(node).life().loss() == null);

        assertThat(readiness(node).path("diskComplete").booleanValue()).isTrue();
        assertThat(status()).doesNotContain("it lacks");
    }

    @Test
    void lifeOfAWholeMemberIsItsStart() {
        TestNode first = cluster.node(0);
        long start = report(first).life().start();
        first.stop();
        cluster.start(first);

        MemberReport.Life life = report(first).life();

        assertThat(life.start()).isGreaterThan(start);
        assertThat(life.loss()).isNull();
        assertThat(readiness(first).path("start").longValue()).isEqualTo(life.start());
        assertThat(readiness(first).path("diskComplete").booleanValue()).isTrue();
        assertThat(get(first.client(), "/v0/topology")
                        .path("life")
                        .path("start")
                        .longValue())
                .isEqualTo(life.start());
    }

    @Test
    void memberThatLostPowerSaysSinceWhenItLacksTheLatestWrites() throws IOException {
        TestNode cut = cluster.node(0);
        cut.stop();
        Files.writeString(directory.resolve("n1").resolve("running"), "the-boot-before ASYNC\n");
        cluster.node(2).stop(); // All are needed to compare.
        long before = System.currentTimeMillis();

        cut.start();

        Loss loss = Objects.requireNonNull(report(cut).life().loss());
        assertThat(loss.extent()).isEqualTo(Extent.LATEST);
        assertThat(loss.before()).isGreaterThanOrEqualTo(before);
        assertThat(loss.partitions()).isEqualTo(256);
        assertThat(readiness(cut).path("diskComplete").booleanValue()).isFalse();
        assertThat(readiness(cut).path("why").asString()).contains("the machine stopped without notice");
        assertThat(readiness(cut).path("partitionsNotWhole").intValue()).isEqualTo(256);
        assertThat(status())
                .contains("it lacks the latest writes before")
                .contains("the machine stopped without notice");
        assertThat(get(cut.client(), "/v0/topology")
                        .path("life")
                        .path("diskComplete")
                        .booleanValue())
                .isFalse();
        cluster.node(2).start();
        assertWholeAgain(cut);
    }

    @Test
    void memberWhoseDatabaseIsGoneSaysThatItLacksAll() throws IOException {
        TestNode lost = cluster.node(0);
        lost.stop();
        FileSystemUtils.deleteRecursively(directory.resolve("n1").resolve("cells"));
        cluster.node(2).stop();

        lost.start();

        Loss loss = Objects.requireNonNull(report(lost).life().loss());
        assertThat(loss.extent()).isEqualTo(Extent.ALL);
        assertThat(loss.why()).contains("set aside");
        assertThat(readiness(lost).path("lost").asString()).isEqualTo("ALL");
        assertThat(status()).contains("it lacks all before");
        cluster.node(2).start();
        assertWholeAgain(lost);
    }

    @Test
    void memberWithADamagedCellSaysSo() {
        TestNode rotten = cluster.node(0);
        rotten.stop();
        StoredBytes.change(directory.resolve("n1").resolve("cells"), Key.of("key"), bytes -> {
            bytes[Cell.HEADER_BYTES] ^= 0x20;
            return bytes;
        });
        cluster.node(2).stop(); // So that it can't be brought anew yet.
        rotten.start();

        assertThat(rotten.client().get("key", "2/2").statusCode()).isNotEqualTo(200);
        eventually("it is said", () -> report(rotten).life().loss() != null);

        Loss loss = Objects.requireNonNull(report(rotten).life().loss());
        assertThat(loss.extent()).isEqualTo(Extent.CELLS);
        assertThat(loss.partitions()).isOne();
        cluster.node(2).start();
        assertWholeAgain(rotten);
    }

    @Test
    void statusNamesTheMemberThatAnswersAtTheAddressOfAnother() {
        try (Fault mistake = cluster.node(1).proxy().leadTo(cluster.node(2).peerPort())) {
            eventually(
                    "it is told", () -> status().contains("member \"n3\" answers at this address instead of \"n2\""));

            assertThat(mistake).isNotNull();
        }
        eventually("n2 answers again", () -> !status().contains("does not answer"));
    }
}
