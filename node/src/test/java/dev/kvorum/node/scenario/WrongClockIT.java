package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.WrongClock;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes whose wall clocks are wrong. What was acknowledged later wins all the same, and a node whose time can't be trusted stamps nothing. */
@Timeout(300)
@Tag("check")
class WrongClockIT {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final List<String> KEYS =
            IntStream.range(0, 60).mapToObj(i -> "key-" + i).toList();

    @TempDir
    static Path directory;

    private static List<NodeProcess> nodes = List.of();
    private static WrongClock first;
    private static WrongClock last;

    @BeforeAll
    static void start() throws IOException {
        nodes = IntStream.rangeClosed(1, 4)
                .mapToObj(i -> new NodeProcess("n" + i, directory))
                .toList();
        List<Member> members = nodes.stream().map(NodeProcess::member).toList();
        Files.write(directory.resolve("topology.json"), TopologyJson.write(new Topology("clocks", 1, 3, 64, members)));
        first = new WrongClock(directory.resolve("first"));
        last = new WrongClock(directory.resolve("last"));
        last.set(Duration.ofSeconds(-9)); // Within what is tolerated.
        nodes.get(0).launchIn(first.environment());
        nodes.get(1).launch();
        nodes.get(2).launch();
        nodes.get(3).launchIn(last.environment());
        nodes.forEach(NodeProcess::awaitReady);
        eventually(
                "all have found each other",
                () -> nodes.stream()
                        .allMatch(node -> KEYS.stream()
                                .limit(10)
                                .allMatch(
                                        key -> node.client().put(key, "", "3/3").statusCode() == 201)));
    }

    @AfterAll
    static void end() {
        nodes.forEach(NodeProcess::close);
    }

    @AfterEach
    void setRight() throws IOException {
        first.set(Duration.ZERO);
        eventually("n1 is ready", () -> isReady(nodes.getFirst()));
    }

    private static boolean isReady(NodeProcess node) {
        return node.management("/actuator/health/readiness").startsWith("200");
    }

    private static double metric(NodeProcess node, String name) {
        return node.management("/actuator/prometheus")
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static void put(int node, String key, String value, String quorum) {
        assertThat(nodes.get(node).client().put(key, value, quorum).statusCode())
                .isEqualTo(201);
    }

    private static HttpResponse<byte[]> get(String key) {
        return nodes.get(2).client().get(key, "2/3");
    }

    /** As every node does that stamps by a clock of its own: the later of two writes was hidden for 31 of these 60 keys. */
    @Test
    void writeThroughANodeThatIsBehindIsNotHidden() {
        for (String key : KEYS) {
            put(0, key, "earlier", "2/3");
            put(3, key, "later", "2/3");

            assertThat(text(get(key))).as(key).isEqualTo("later");
        }
    }

    @Test
    void clockThatIsSetBackHidesNoWrite() throws IOException {
        put(1, "back", "earlier", "2/3");
        first.set(HOUR.negated());
        eventually(
                "n1 sees how far its clock is off",
                () -> Math.abs(metric(nodes.getFirst(), "kvorum_clock_wall_offset_seconds") + 3600) < 10);

        put(0, "back", "later", "3/3");

        assertThat(text(get("back"))).isEqualTo("later");
        assertThat(nodes.getFirst().client().delete("back", "2/3").statusCode()).isEqualTo(202);
        assertThat(get("back").statusCode()).isEqualTo(404);
        assertThat(isReady(nodes.getFirst())).isTrue();
    }

    @Test
    void clockThatIsSetAheadLeavesNothingOfTheFuture() throws IOException {
        first.set(Duration.ofSeconds(40));
        put(0, "ahead", "earlier", "2/3");
        first.set(Duration.ZERO);

        assertThat(nodes.get(1).client().delete("ahead", "3/3").statusCode()).isEqualTo(202);

        assertThat(get("ahead").statusCode()).isEqualTo(404);
    }

    @Test
    void nodeThatBeginsByAWrongClockTakesNoPlainWriteUntilTheClockIsRight() throws IOException {
        NodeProcess wrong = nodes.getFirst();
        for (Duration by : List.of(Duration.ofSeconds(40), HOUR.negated())) {
            wrong.terminate();
            first.set(by);
            wrong.launchIn(first.environment());
            eventually(
                    "it serves clients",
                    () -> wrong.management("/actuator/health/readiness").contains("takes no plain writes"));

            HttpResponse<byte[]> refused = wrong.client().put("skewed", "of a wrong clock", "1/3");

            assertThat(refused.statusCode()).as(text(refused)).isEqualTo(503);
            assertThat(text(refused))
                    .contains("clock-skew", "Nothing was written", "clockOfMembers")
                    .contains(by.isNegative() ? " s behind" : " s ahead");
            assertThat(metric(wrong, "kvorum_clock_skewed")).isOne();
            // As a replica it goes by the time of the others.
            put(1, "replicated-" + by, "of n2", "2/3");
            KEYS.forEach(key -> put(1, key, "of n2", "3/3"));
            assertThat(text(wrong.client().get("replicated-" + by, "2/3"))).isEqualTo("of n2");

            assertThat(new RegisterClient(wrong.apiPort())
                            .put("once" + by, "mine", "If-None-Match", "*")
                            .statusCode())
                    .as("a conditional write goes by the time of the others")
                    .isEqualTo(201);

            first.set(Duration.ZERO);
            eventually("its clock is right again", () -> isReady(wrong));

            assertThat(wrong.client().get("skewed", "3/3").statusCode()).isEqualTo(404);
            put(0, "healed-" + by, "of n1", "3/3");
            assertThat(wrong.output()).contains("The clock of this node is wrong", "agrees with those of most members");
        }
    }
}
