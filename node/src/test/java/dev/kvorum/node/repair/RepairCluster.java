package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.Served;
import dev.kvorum.node.verification.Loss;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Partitioning;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Mono;

/** Members with stores in memory, on a clock that the test moves. Calls between them are answered at once, or fail where the test says so. */
final class RepairCluster {
    static final Duration AHEAD_MAX = Duration.ofSeconds(10);
    static final long START = 1_700_000_000_000L;
    static final Duration INTERVAL = Duration.ofHours(6);
    static final Duration GRACE = Duration.ofDays(10);
    static final Duration SKEW = Duration.ofSeconds(20);
    private static final Duration SETTLING = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration LONG_STEP = Duration.ofMinutes(5);

    final MeterRegistry meters = new SimpleMeterRegistry();
    private final long seed;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Set<String> cut = new HashSet<>();
    private final Set<Set<String>> apart = new HashSet<>();
    private Topology topology;
    private long nanos;
    private final Deadlines deadlines = new Deadlines(() -> nanos, () -> {});
    private long callsLeft = Long.MAX_VALUE;
    private int lateEvery = Integer.MAX_VALUE;
    private int calls;
    private long version;

    /** One member: its disk, and the program that runs on it unless it is down. */
    final class Node {
        final String id;
        final Membership membership;
        MemoryStore store;
        boolean busy;
        long restPerKib;
        private int starts;
        long rebuildingSince = Verifications.NEVER;
        private @Nullable Verifications verifications;
        private @Nullable Repair repair;

        private Node(String id) {
            this.id = id;
            this.membership = new Membership(id, topology);
            this.store = new MemoryStore(id, RepairCluster.this::partitionOf);
            store.refuseFrom(() -> now() + AHEAD_MAX.toMillis());
        }

        /** The calls that it serves. */
        Served served() {
            return Served.by(repair().service()::serve);
        }

        Repair repair() {
            return Objects.requireNonNull(repair, () -> id + " is down");
        }

        Verifications verifications() {
            return Objects.requireNonNull(verifications, () -> id + " is down");
        }

        void start(Duration interval) {
            RepairSettings settings = Settings.of(RepairSettings.class)
                    .with("interval", interval)
                    .with("settling", SETTLING)
                    .with("rate", DataSize.ofGigabytes(1))
                    .with("scanRate", DataSize.ofGigabytes(1))
                    .with("loadMax", 100)
                    .with("tombstoneGrace", GRACE)
                    .get();
            Verifications noted = new Verifications(store, topology.partitions(), GRACE, SKEW);
            noted.load().block();
            noted.regain(new Loss(rebuildingSince, Verifications.NEVER));
            this.verifications = noted;
            RepairParts parts = new RepairParts(
                    membership,
                    store,
                    noted,
                    store,
                    (member, path, epoch, body) -> call(this, member, path, epoch, body),
                    deadlines,
                    RepairCluster.this::now,
                    () -> RepairCluster.this.now() + AHEAD_MAX.toMillis(),
                    () -> new MemberLife(START, RepairCluster.this.now()),
                    new Random(seed + id.hashCode() + starts++),
                    new Backpressure(() -> restPerKib, () -> busy));
            Repair fresh = new Repair(parts, settings, new RepairMetrics(meters));
            fresh.start();
            fresh.startRebuilding();
            repair = fresh;
        }

        void stop() {
            repair().close();
            repair = null;
        }
    }

    /** So many members, none of which looks at anything unless it is told to. */
    RepairCluster(long seed, int members, int partitions) {
        this(seed, members, partitions, Duration.ZERO);
    }

    RepairCluster(long seed, int members, int partitions, Duration interval) {
        this.seed = seed;
        this.topology = new Topology(
                "demo",
                1,
                3,
                partitions,
                IntStream.rangeClosed(1, members)
                        .mapToObj(i -> Topologies.member("n" + i))
                        .toList());
        topology.members().forEach(member -> nodes.put(member.id(), new Node(member.id())));
        nodes.values().forEach(node -> node.start(interval));
    }

    private Mono<CallReply> call(Node caller, Member member, PeerOperation operation, long epoch, byte[] body) {
        return Mono.defer(() -> {
            Node node = node(member.id());
            if (isCut(caller, node) || node.repair == null || callsLeft-- <= 0) {
                return Mono.just(new ReplicaFailure(member.id(), Reason.UNREACHABLE, "as the test says"));
            }
            long present = node.membership.view().epoch();
            if (epoch != present && operation != PeerOperation.REPAIR_LIFE) {
                Reason reason = epoch < present ? Reason.STALE : Reason.BEHIND;
                return Mono.just(new ReplicaFailure(member.id(), reason, "it goes by epoch " + present));
            }
            Mono<CallReply> reply = node.served().call(operation, body);
            return ++calls % lateEvery == 0
                    ? reply.thenReturn(new ReplicaFailure(member.id(), Reason.TIMED_OUT, "as the test says"))
                    : reply;
        });
    }

    Node node(String id) {
        return Objects.requireNonNull(nodes.get(id), id);
    }

    List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    Topology topology() {
        return topology;
    }

    void become(Topology next) {
        topology = next;
        next.members().forEach(member -> nodes.computeIfAbsent(member.id(), Node::new));
        nodes.values().forEach(node -> node.membership.offer(next));
    }

    int partitionOf(Key key) {
        return new Partitioning(topology.partitions()).partitionOf(key.utf8());
    }

    /** Of all members. */
    Deadlines deadlines() {
        return deadlines;
    }

    /** The members that hold a partition, in order. */
    List<Node> order(int partition) {
        return Placement.current(topology).order(partition).stream()
                .map(member -> node(member.id()))
                .toList();
    }

    List<Node> order(Key key) {
        return order(partitionOf(key));
    }

    /** Nobody reaches it, nor does it reach anybody, though it runs. */
    void cut(Node node) {
        cut.add(node.id);
    }

    /** Neither of them reaches the other; all others reach both. */
    void part(Node one, Node other) {
        apart.add(Set.of(one.id, other.id));
    }

    private boolean isCut(Node caller, Node called) {
        return cut.contains(called.id) || cut.contains(caller.id) || apart.contains(Set.of(caller.id, called.id));
    }

    void heal() {
        cut.clear();
        apart.clear();
        callsLeft = Long.MAX_VALUE;
    }

    /** Of so many calls one is done, but answered too late. */
    void lateEvery(int calls) {
        lateEvery = calls;
    }

    /** All calls fail after so many. */
    void failAfter(long calls) {
        callsLeft = calls;
    }

    long now() {
        return START + nanos / 1_000_000;
    }

    void pass(Duration time) {
        long end = nanos + time.toNanos();
        long step = stepFor(time).toNanos();
        while (nanos < end) {
            nanos = Math.min(end, nanos + step);
            var _ = deadlines.sweep();
        }
    }

    private static Duration stepFor(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) <= 0) {
            return Duration.ofMillis(1);
        }
        return time.compareTo(Duration.ofHours(1)) > 0 ? LONG_STEP : STEP;
    }

    /** What a run on that node came to. */
    RepairOutcome repair(Node node, int partition) {
        AtomicReference<@Nullable RepairOutcome> outcome = new AtomicReference<>();
        var _ = node.repair().repair(partition).subscribe(outcome::set);
        pass(Duration.ofMillis(300));
        return Objects.requireNonNull(outcome.get(), "the run has not ended");
    }

    /** A value that was written now. */
    Cell value(Key key, String text, int copies) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8)).stamp(key, version(), copies);
    }

    Cell tombstone(Key key, int copies) {
        return Draft.tombstone().stamp(key, version(), copies);
    }

    private Version version() {
        return new Version((now() << 16) + version++ % 0xFFFF, 1);
    }

    /** A value that was written then, by a clock that was wrong. */
    Cell value(Key key, String text, long millis) {
        Version wrong = new Version(millis << 16, 1);
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8)).stamp(key, wrong, 3);
    }

    /** A key of that partition. */
    Key key(int partition, String name) {
        for (int i = 0; ; i++) {
            Key key = Key.of(name + "-" + i);
            if (partitionOf(key) == partition) {
                return key;
            }
        }
    }

    double counted(String name, String... tags) {
        return meters.get(name).tags(tags).counter().count();
    }
}
