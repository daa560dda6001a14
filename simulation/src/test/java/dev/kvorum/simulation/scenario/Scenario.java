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
import dev.kvorum.node.config.Settings;
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
                Settings.of(QuorumSettings.class)
                        .with("readAck", 0)
                        .with("writeAck", 0)
                        .with("deadline", second.multipliedBy(5))
                        .get(),
                Settings.of(ReadSettings.class)
                        .with("fanOut", FanOut.ALL)
                        .with("placement", Placement.NEAR)
                        .with("hedgeDelayMin", Duration.ofMillis(1))
                        .with("hedgeDelayMax", Duration.ofMillis(20))
                        .with("hedgeBudget", 10)
                        .with("readRepair", Repair.BACKGROUND)
                        .with("repairBudget", 10)
                        .get(),
                Settings.of(PeerSettings.class)
                        .with("timeout", second.multipliedBy(2))
                        .with("connectTimeout", second)
                        .with("bytesMax", DataSize.ofMegabytes(16))
                        .with("callsMax", 4096)
                        .with("silenceMax", second.multipliedBy(3))
                        .with("connections", 0)
                        .get(),
                Settings.of(ClockSettings.class)
                        .with("aheadMax", second.multipliedBy(10))
                        .get(),
                Settings.of(StorageSettings.class)
                        .with("durability", Durability.ASYNC)
                        .with("syncInterval", Duration.ofMillis(100))
                        .with("queue", 4096)
                        .with("readThreads", 1)
                        .with("memory", UNSAID)
                        .with("blockCache", UNSAID)
                        .with("memtable", UNSAID)
                        .with("backgroundJobs", 2)
                        .with("openFiles", 1024)
                        .get(),
                Settings.of(HintSettings.class)
                        .with("bytesMax", DataSize.ofMegabytes(16))
                        .with("ageMax", Duration.ofHours(3))
                        .with("memory", DataSize.ofMegabytes(8))
                        .with("replayWrites", 2000)
                        .with("replayBytes", DataSize.ofMegabytes(8))
                        .with("replayCalls", 16)
                        .get(),
                Settings.of(RepairSettings.class)
                        .with("interval", Duration.ZERO)
                        .with("settling", second.multipliedBy(10))
                        .with("rate", DataSize.ofMegabytes(8))
                        .with("scanRate", DataSize.ofMegabytes(32))
                        .with("loadMax", 100)
                        .with("tombstoneGrace", Duration.ofDays(10))
                        .get(),
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
