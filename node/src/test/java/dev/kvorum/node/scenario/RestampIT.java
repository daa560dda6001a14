package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.command.Commands;
import dev.kvorum.node.restamp.ClocksAhead;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The clocks of all members were 400 days ahead for a while. What they have acknowledged meanwhile is kept, and once its versions are moved back, it can be written again. */
@Timeout(180)
@Tag("check")
class RestampIT {
    private static final Duration AHEAD = Duration.ofDays(400);
    private static final Pattern FIRST = Pattern.compile("the first is of (\\S+),");
    private static final Pattern BEFORE = Pattern.compile("the newest version before is of ([0-9]\\S+)");

    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Path data(TestNode node) {
        return directory.resolve(node.id());
    }

    private int put(int node, String key, String value, String quorum) {
        return cluster.node(node).client().put(key, value, quorum).statusCode();
    }

    private static int createOnce(TestNode node, String key) {
        return new RegisterClient(node.apiPort())
                .put(key, "mine", "If-None-Match", "*")
                .statusCode();
    }

    private String restamp(int expected, TestNode node, String... more) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, UTF_8);
        String[] arguments = Stream.concat(Stream.of("restamp", "--data-dir=" + data(node)), Stream.of(more))
                .toArray(String[]::new);
        assertThat(Commands.run(arguments, out, out)).as(said.toString(UTF_8)).isEqualTo(expected);
        return said.toString(UTF_8);
    }

    /** What the command says of all members that say it. */
    private Stream<Instant> times(Pattern pattern) {
        return cluster.nodes().stream()
                .flatMap(node -> pattern.matcher(restamp(0, node)).results())
                .map(MatchResult::group)
                .map(found -> pattern.matcher(found).replaceAll("$1"))
                .map(Instant::parse);
    }

    /** The third member misses what the other two acknowledge by clocks that are ahead. */
    private void acknowledgeAhead() {
        assertThat(put(0, "overwritten", "of the past", "3/3")).isEqualTo(201);
        assertThat(put(0, "kept", "of the past", "3/3")).isEqualTo(201);
        assertThat(createOnce(cluster.node(0), "once")).isEqualTo(201);
        long ahead = System.currentTimeMillis() + 500;
        eventually("the versions that follow are later", () -> System.currentTimeMillis() > ahead);
        cluster.node(2).stop();
        assertThat(put(0, "overwritten", "of the future", "2/3")).isEqualTo(201);
        assertThat(put(1, "overwritten", "of the later future", "2/3")).isEqualTo(201);
        assertThat(put(0, "new", "of the future", "2/3")).isEqualTo(201);
        assertThat(createOnce(cluster.node(0), "once-ahead")).isEqualTo(201);
        cluster.node(0).stop();
        cluster.node(1).stop();
        ClocksAhead.since(data(cluster.node(0)), ahead, AHEAD);
        ClocksAhead.since(data(cluster.node(1)), ahead, AHEAD);
    }

    /** Its clock is right by then. */
    private static void assertNodeSaysWhyItTakesNoPlainWrites(TestNode node) {
        HttpResponse<byte[]> refused = node.client().put("fresh", "of now", "2/3");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(text(refused))
                .contains("urn:kvorum:problem:versions-ahead", "newestVersion", "restamp", "Nothing was written");
        HttpResponse<byte[]> readiness = new NodeClient(node.managementPort())
                .send("GET", "/actuator/health/readiness", BodyPublishers.noBody());
        assertThat(readiness.statusCode()).isEqualTo(503);
        assertThat(text(readiness)).contains("restamp").doesNotContain("time server");
        assertThat(gauge(node, "kvorum.clock.skewed")).isZero();
        assertThat(gauge(node, "kvorum.clock.issued.ahead.seconds"))
                .isBetween(AHEAD.toSeconds() - 300.0, AHEAD.toSeconds() + 300.0);
    }

    private static double gauge(TestNode node, String name) {
        return node.meters().get(name).gauge().value();
    }

    private void assertNothingIsLost() {
        for (TestNode node : cluster.nodes()) {
            assertThat(text(node.client().get("overwritten", "2/3"))).isEqualTo("of the later future");
            assertThat(text(node.client().get("new", "2/3"))).isEqualTo("of the future");
            assertThat(text(node.client().get("kept", "2/3"))).isEqualTo("of the past");
        }
    }

    @Test
    void whatAllClocksHaveStampedTooFarAheadIsFoundAndMovedBackAndNothingAcknowledgedIsLost() {
        acknowledgeAhead();
        cluster.startAll();

        for (int node : List.of(0, 1)) {
            eventually("the start has counted them", () -> gauge(cluster.node(node), "kvorum.clock.ahead.cells") == 3);
        }
        assertNothingIsLost();
        assertNodeSaysWhyItTakesNoPlainWrites(cluster.node(0));
        assertThat(put(2, "overwritten", "of now", "2/3")).as("nobody takes it").isNotEqualTo(201);

        cluster.nodes().forEach(TestNode::stop);
        assertThat(restamp(0, cluster.node(0)))
                .contains("3 cells", "  overwritten", "  new", "  once-ahead")
                .doesNotContain("kept");
        Instant newest =
                Objects.requireNonNull(times(BEFORE).max(Instant::compareTo).orElse(null));
        String from = "--from=" + times(FIRST).min(Instant::compareTo).orElseThrow();
        assertThat(restamp(1, cluster.node(0), from, "--to=" + newest.minus(Duration.ofDays(1))))
                .contains("Nothing was changed");
        String to = "--to=" + newest.plusMillis(1);
        cluster.nodes().forEach(node -> assertThat(restamp(0, node, from, to)).contains("Do the same"));
        assertThat(restamp(1, cluster.node(0), from, to)).contains("was done here already");
        cluster.startAll();

        assertNothingIsLost();
        for (TestNode node : cluster.nodes()) {
            assertThat(createOnce(node, "once")).isEqualTo(412);
            assertThat(createOnce(node, "once-ahead")).isEqualTo(412);
            assertThat(gauge(node, "kvorum.clock.ahead.cells")).isZero();
            assertThat(gauge(node, "kvorum.clock.issued.ahead.seconds")).isZero();
        }
        eventually("a write of now wins", () -> put(2, "overwritten", "of now", "2/3") == 201);
        for (TestNode node : cluster.nodes()) {
            assertThat(text(node.client().get("overwritten", "2/3"))).isEqualTo("of now");
        }
    }
}
