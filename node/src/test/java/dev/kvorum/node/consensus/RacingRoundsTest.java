package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients append words to one value, each by reading it and writing it back under the condition that it has not changed, while messages are lost, doubled and
 * come in any order, clocks differ, and processes end at any point. Every seed is a run of its own, the same each time.
 */
@Tag("check")
class RacingRoundsTest {
    private static final int SEEDS = Integer.getInteger("kvorum.racing.seeds", 12);
    private static final long FROM = Long.getLong("kvorum.racing.from", 1);
    private static final Duration RUN = Duration.ofSeconds(6);

    @Test
    void wordsThatWereAcknowledgedAreThereOnceAndThoseThatWereRefusedAreNot() {
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            Topology topology = Topologies.of(1, "n1", "n2", "n3");
            new Run(seed, new RegisterCluster(seed, topology, List.of("n1", "n2", "n3"))).carryOut(false);
        }
    }

    @Test
    void theSameWhileTheOwnersChange() {
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            Topology topology = Topologies.of(1, "n1", "n2", "n3", "n4");
            new Run(seed, new RegisterCluster(seed, topology, List.of("n1", "n2", "n3", "n4", "n5"))).carryOut(true);
        }
    }

    private static final class Run {
        private final long seed;
        private final RegisterCluster cluster;
        private final Set<String> acknowledged = new HashSet<>();
        private final Set<String> refused = new HashSet<>();
        private final List<Seen> seen = new ArrayList<>();
        private final List<Client> clients = new ArrayList<>();
        private boolean stopping;

        /** What a read found, and when. */
        private record Seen(String value, long begun, long ended) {}

        Run(long seed, RegisterCluster cluster) {
            this.seed = seed;
            this.cluster = cluster;
            cluster.loss = cluster.random.nextInt(3) == 0 ? 0 : cluster.random.nextDouble() * 0.15;
            cluster.doubling = cluster.random.nextDouble() * 0.1;
            cluster.nodes.values().forEach(node -> node.skewMillis = cluster.random.nextInt(-900, 900));
        }

        void carryOut(boolean changes) {
            for (int i = 0; i < 4; i++) {
                clients.add(new Client("c" + i));
            }
            clients.forEach(Client::read);
            long end = cluster.now() + RUN.toNanos();
            while (cluster.now() < end) {
                cluster.step();
                disturb(changes);
            }
            stopping = true;
            cluster.loss = 0;
            cluster.doubling = 0;
            cluster.nodes.values().forEach(node -> node.isUp = true);
            cluster.pass(Duration.ofSeconds(5));
            judge();
        }

        private void disturb(boolean changes) {
            int dice = cluster.random.nextInt(1500);
            switch (dice) {
                case 0 -> cluster.any().restart();
                case 1 -> cluster.any().isUp = false;
                case 2, 3, 4 -> cluster.any().isUp = true;
                case 5 -> clients.forEach(Client::giveUpIfStuck);
                default -> {
                    if (changes && dice < 8) {
                        change();
                    }
                }
            }
        }

        /** The next step of a change, as whoever runs the cluster may take it: all are up and go by the present one, and the next owners are brought level first. */
        private void change() {
            List<Node> all = List.copyOf(cluster.nodes.values());
            Topology present = all.stream()
                    .map(node -> node.membership.view().topology())
                    .max(Comparator.comparingLong(Topology::epoch))
                    .orElseThrow();
            if (all.stream().anyMatch(node -> !node.isUp)) {
                return;
            }
            boolean level = all.stream().allMatch(node -> node.membership.view().epoch() == present.epoch());
            if (!level) {
                cluster.any().membership.offer(present); // It hears of it at last.
                return;
            }
            Topology next = next(present, all);
            if (next != null) {
                cluster.any().membership.offer(next);
            }
        }

        private @Nullable Topology next(Topology present, List<Node> all) {
            if (!present.isChanging()) {
                return begun(present);
            }
            if (present.reads() == Reads.CURRENT) {
                return verified(all) ? with(present, present.members(), Reads.NEXT) : null;
            }
            List<Member> members = present.members().stream()
                    .filter(member -> member.state() != MemberState.LEAVING)
                    .map(member -> Topologies.member(member.id()))
                    .toList();
            return with(present, members, Reads.CURRENT);
        }

        /** One leaves, one joins. */
        private Topology begun(Topology present) {
            List<String> there = present.members().stream().map(Member::id).toList();
            String leaving = there.get(cluster.random.nextInt(there.size()));
            List<Member> members = new ArrayList<>();
            there.forEach(id ->
                    members.add(Topologies.member(id, id.equals(leaving) ? MemberState.LEAVING : MemberState.ACTIVE)));
            cluster.nodes.keySet().stream()
                    .filter(id -> !there.contains(id))
                    .forEach(id -> members.add(Topologies.member(id, MemberState.JOINING)));
            return with(present, members, Reads.CURRENT);
        }

        private static Topology with(Topology present, List<Member> members, Reads reads) {
            return new Topology(present.cluster(), present.epoch() + 1, 3, present.partitions(), members, reads);
        }

        /** As repair verifies a partition: nothing of former epochs is open anywhere, and then all cells are brought to all. */
        private boolean verified(List<Node> all) {
            for (Node node : all) {
                boolean[] settled = {false};
                var _ = node.settling.settle(node.partition()).subscribe(done -> settled[0] = done);
                long until = cluster.now() + Duration.ofSeconds(4).toNanos();
                while (!settled[0] && cluster.now() < until) {
                    cluster.step();
                }
                if (!settled[0]) {
                    return false;
                }
            }
            for (Node from : all) {
                var cell = from.cell();
                if (cell != null) {
                    all.forEach(to -> to.registers.write(to.partition(), RegisterCluster.KEY, cell));
                }
            }
            return true;
        }

        private void judge() {
            AtomicReference<@Nullable String> found = new AtomicReference<>();
            var _ = cluster.node("n1")
                    .coordinator
                    .read(RegisterCluster.KEY)
                    .subscribe(outcome -> found.set(text(outcome)));
            cluster.pass(Duration.ofSeconds(4));
            assertThat(found.get()).as("seed %d: the last read", seed).isNotNull();
            String last = String.valueOf(found.get());
            List<String> words = Arrays.asList(last.split(" "));
            assertThat(words).as("seed %d, %s", seed, last).doesNotHaveDuplicates();
            assertThat(words).as("seed %d", seed).containsAll(acknowledged);
            assertThat(words)
                    .as("seed %d", seed)
                    .doesNotContainAnyElementsOf(refused.isEmpty() ? Set.of("-") : refused);
            assertThat(seen)
                    .as("seed %d", seed)
                    .allSatisfy(read -> assertThat(last).startsWith(read.value));
            for (Seen one : seen) {
                assertThat(seen)
                        .as("seed %d: no read goes back", seed)
                        .filteredOn(other -> other.begun > one.ended)
                        .allSatisfy(
                                other -> assertThat(other.value.length()).isGreaterThanOrEqualTo(one.value.length()));
            }
            assertThat(acknowledged).as("seed %d: something was done", seed).isNotEmpty();
        }

        private static @Nullable String text(ReadOutcome outcome) {
            return switch (outcome) {
                case ReadOutcome.Found found ->
                    StandardCharsets.UTF_8.decode(found.cell().value()).toString();
                case ReadOutcome.Absent absent -> "";
                case ReadOutcome.Unavailable unavailable -> null;
                case ReadOutcome.TimedOut timedOut -> null;
                case ReadOutcome.Rejected rejected -> null;
            };
        }

        private final class Client {
            private final String name;
            private int number;
            private long begun;
            private int turn; // What belongs to a former one is not listened to.

            Client(String name) {
                this.name = name;
            }

            void read() {
                if (stopping) {
                    return;
                }
                turn++;
                int mine = turn;
                begun = cluster.now();
                Node node = cluster.any();
                var _ = node.coordinator.read(RegisterCluster.KEY).subscribe(outcome -> {
                    if (mine == turn) {
                        found(outcome);
                    }
                });
            }

            private void found(ReadOutcome outcome) {
                String value = text(outcome);
                if (value == null) {
                    read();
                    return;
                }
                seen.add(new Seen(value, begun, cluster.now()));
                String word = name + "." + ++number;
                Version version = outcome instanceof ReadOutcome.Found found
                        ? found.cell().version()
                        : null;
                Condition condition =
                        version == null ? new Condition.Absent() : new Condition.OneOf(Set.of(version.toString()));
                String next = value.isEmpty() ? word : value + " " + word;
                turn++;
                int mine = turn;
                begun = cluster.now();
                var _ = cluster.any()
                        .coordinator
                        .change(RegisterCluster.KEY, Draft.ofValue(next.getBytes(StandardCharsets.UTF_8)), condition)
                        .subscribe(end -> {
                            if (mine == turn) {
                                ended(word, end);
                            }
                        });
            }

            private void ended(String word, ChangeOutcome outcome) {
                switch (outcome) {
                    case ChangeOutcome.Written written -> acknowledged.add(word);
                    case ChangeOutcome.ConditionFailed failed -> refused.add(word);
                    case ChangeOutcome.Unavailable(var shortfall, Fate fate) -> noteFate(word, fate);
                    case ChangeOutcome.TimedOut(var shortfall, Fate fate) -> noteFate(word, fate);
                    case ChangeOutcome.Rejected(var shortfall, Fate fate) -> noteFate(word, fate);
                    case ChangeOutcome.Overtaken overtaken -> {}
                }
                read();
            }

            private void noteFate(String word, Fate fate) {
                if (fate == Fate.NOT_DONE) {
                    refused.add(word);
                }
            }

            /** Its node has ended. */
            void giveUpIfStuck() {
                if (cluster.now() - begun > Duration.ofSeconds(4).toNanos()) {
                    read();
                }
            }
        }
    }
}
