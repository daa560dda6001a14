package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.ReadSettings.FanOut;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.simulation.disk.DiskWeather;
import dev.kvorum.simulation.network.Network;
import dev.kvorum.simulation.network.Weather;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.node.OperatorSettings;
import dev.kvorum.simulation.node.World;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * A cluster with the usual settings, all right until the test does something to it: {@code n1}, {@code n2} and so on, each in a zone of its own
 * and started.
 */
final class Scenario {
    private static final long MICRO = 1_000;
    private static final long PATIENCE = Duration.ofSeconds(20).toNanos();
    private static final long LOOK = Duration.ofMillis(1).toNanos();
    private static final DataSize UNSAID = DataSize.ofBytes(0);

    final Cluster cluster;
    private final Timeline timeline = new Timeline();
    private final Bugs bugs = new Bugs();

    Scenario(long seed, int nodes) {
        this(seed, nodes, id -> null);
    }

    /** @param incarnations what the topology knows of the disk of each member */
    Scenario(long seed, int nodes, Function<String, @Nullable UUID> incarnations) {
        Chance chance = Chance.of(seed);
        Trace trace = new Trace(timeline, null);
        Weather weather = new Weather(100 * MICRO, 100 * MICRO, 0, 0, false);
        Network network = new Network(weather, timeline, chance.branch(), trace);
        DiskWeather disks = new DiskWeather(20 * MICRO, 500 * MICRO, 50 * MICRO, 0.5);
        World world = new World(timeline, network, disks, trace, bugs);
        this.cluster =
                new Cluster(world, topology(nodes, incarnations), OperatorSettings.NONE, settings(), chance.branch());
        cluster.startAll();
    }

    private static Topology topology(int nodes, Function<String, @Nullable UUID> incarnations) {
        List<Member> members = IntStream.rangeClosed(1, nodes)
                .mapToObj(number -> "n" + number)
                .map(id -> new Member(
                        id,
                        URI.create("http://" + id + ":8080"),
                        URI.create("http://" + id + ":9090"),
                        "zone-" + id,
                        MemberState.ACTIVE,
                        1,
                        incarnations.apply(id)))
                .toList();
        return new Topology("scenario", 1, 3, 8, members);
    }

    private static CoreSettings settings() {
        Duration second = Duration.ofSeconds(1);
        return new CoreSettings(
                new QuorumSettings(0, 0, second.multipliedBy(5)),
                new ReadSettings(
                        FanOut.ALL,
                        Placement.NEAR,
                        Duration.ofMillis(1),
                        Duration.ofMillis(20),
                        10,
                        Repair.BACKGROUND,
                        10),
                new PeerSettings(
                        second.multipliedBy(2), second, DataSize.ofMegabytes(16), 4096, second.multipliedBy(3), 0),
                new ClockSettings(second.multipliedBy(10)),
                new StorageSettings(Durability.ASYNC, Duration.ofMillis(100), 4096, 1, UNSAID, UNSAID, UNSAID, 2, 1024),
                new HintSettings(
                        DataSize.ofMegabytes(16),
                        Duration.ofHours(3),
                        DataSize.ofMegabytes(8),
                        2000,
                        DataSize.ofMegabytes(8),
                        16),
                new RepairSettings(
                        Duration.ZERO,
                        second.multipliedBy(10),
                        DataSize.ofMegabytes(8),
                        DataSize.ofMegabytes(32),
                        100,
                        Duration.ofDays(10)),
                DataSize.ofMegabytes(1));
    }

    /** Lets so much time pass. */
    void pass(Duration time) {
        timeline.runUntil(timeline.now() + time.toNanos());
    }

    Duration now() {
        return Duration.ofNanos(timeline.now());
    }

    Answer write(String node, String key, String value, int ack, int from) {
        return ask(node, new Request(Kind.WRITE, Mode.QUORUM, key, value, ack, from));
    }

    Answer read(String node, String key, int ack, int from) {
        return ask(node, new Request(Kind.READ, Mode.QUORUM, key, null, ack, from));
    }

    /** Sends a request, and waits for its answer. */
    private Answer ask(String node, Request request) {
        List<Answer> answers = new ArrayList<>();
        cluster.serve(node, request, true, answers::add);
        long end = timeline.now() + PATIENCE;
        while (answers.isEmpty() && timeline.now() < end) {
            timeline.runUntil(timeline.now() + LOOK);
        }
        assertThat(bugs.found()).isEmpty();
        assertThat(answers).as("answers of %s to %s", node, request).hasSize(1);
        return answers.getFirst();
    }

    static String versionOf(Answer answer) {
        @Nullable String version = answer.version();
        assertThat(version).isNotNull();
        return String.valueOf(version);
    }
}
