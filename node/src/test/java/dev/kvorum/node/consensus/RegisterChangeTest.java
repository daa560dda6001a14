package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.storage.StoredHint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegisterChangeTest {
    private final RegisterCluster cluster =
            new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3"));
    private final Node node = cluster.node("n1");
    private final List<ChangeOutcome> outcomes = new ArrayList<>();

    private static Draft value(String text) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(Condition condition) {
        var _ = node.coordinator.change(KEY, value("mine"), condition).subscribe(outcomes::add);
    }

    private void thaw() {
        for (int i = 0; i < 10; i++) {
            cluster.deliver();
        }
    }

    private List<Proposal> accepted() {
        return cluster.nodes.values().stream()
                .map(each -> each.registers.row(each.partition(), KEY))
                .filter(row -> row != null && row.accepted() != null)
                .map(Acceptance::accepted)
                .toList();
    }

    @Test
    void processThatWasFrozenBehindItsPromisesProposesNothing() {
        write(new Condition.None());
        cluster.deliver(); // The promises are on their way back.

        cluster.freeze(Duration.ofSeconds(5));
        thaw();

        assertThat(accepted()).isEmpty();
        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.TimedOut.class,
                        late -> assertThat(late.fate()).isEqualTo(Fate.NOT_DONE));
    }

    @Test
    void processThatWasFrozenBehindItsPromisesFinishesNothingOfOthers() {
        Version ballot = new Version(1_700_000_000_000L << 16, 5);
        Cell open = value("open").stamp(KEY, ballot, 3);
        Proposal proposal = Proposal.of(ballot, open, List.of());
        for (Node each : cluster.nodes.values()) {
            assertThat(each.acceptor.accept(KEY, proposal, 1).block()).isEqualTo(new Vote.Done(each.name));
        }
        write(new Condition.OneOf(Set.of("another")));
        cluster.deliver();

        cluster.freeze(Duration.ofSeconds(5));
        thaw();

        assertThat(accepted()).containsOnly(proposal);
        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.TimedOut.class);
    }

    @Test
    void writeWhoseTimeIsJustUpProposesNothing() {
        write(new Condition.None());
        cluster.deliver();

        cluster.freeze(node.parts.deadline());
        thaw();

        assertThat(accepted()).isEmpty();
        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.TimedOut.class);
    }

    /** Each of those before it waits 400 ms for answers that do not come. */
    @Test
    void writeThatWaitsForItsTurnUntilItsTimeIsUpIsNotDone() {
        cluster.node("n2").isUp = false;
        cluster.node("n3").isUp = false;
        for (int i = 0; i < 9; i++) {
            write(new Condition.None());
        }

        cluster.pass(Duration.ofSeconds(4));

        assertThat(outcomes).hasSize(9);
        assertThat(outcomes.subList(0, 7))
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(ChangeOutcome.Unavailable.class));
        assertThat(outcomes.subList(7, 9))
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(ChangeOutcome.TimedOut.class, late -> {
                            assertThat(late.fate()).isEqualTo(Fate.NOT_DONE);
                            assertThat(late.shortfall().quorum().toString()).isEqualTo("2/3");
                        }));
    }

    @Test
    void oneMoreWriteOfAKeyThanMayWaitIsRejectedAtOnce() {
        for (int i = 0; i <= Turns.WAITING_MAX; i++) {
            write(new Condition.None());
        }
        assertThat(outcomes).isEmpty();

        write(new Condition.None());

        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.Rejected.class, rejected -> {
            assertThat(rejected.fate()).isEqualTo(Fate.NOT_DONE);
            assertThat(rejected.shortfall().isOverload()).isTrue();
            assertThat(rejected.shortfall().failures().getFirst().detail()).contains("128 writes of this key wait");
        });
    }

    /** Its voters have left, and are gone: no answer of theirs tells of the newer epoch. */
    @Test
    void writeAndReadThatMissVotersOfAFormerEpochAskThoseOfThePresent() {
        RegisterCluster changed =
                new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3", "n4", "n5"));
        Node first = changed.node("n1");
        changed.node("n2").isUp = false;
        changed.node("n3").isUp = false;
        List<ReadOutcome> reads = new ArrayList<>();
        var _ = first.coordinator.read(KEY).subscribe(reads::add);
        var _ = first.coordinator
                .change(KEY, value("mine"), new Condition.None())
                .subscribe(outcomes::add);
        first.membership.offer(Topologies.of(2, "n1", "n4", "n5"));

        changed.pass(Duration.ofSeconds(3));

        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.Written.class);
        assertThat(reads).singleElement().isInstanceOfAny(ReadOutcome.Found.class, ReadOutcome.Absent.class);
    }

    @Test
    void whatIsWrittenIsInFlightUntilAHintIsKeptForTheVoterThatMissesIt() {
        cluster.node("n3").isUp = false;
        write(new Condition.None());
        while (outcomes.isEmpty()) {
            cluster.step();
        }
        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.Written.class);
        assertThat(node.parts.inFlight().writes()).isOne();
        assertThat(hintsForN3()).isEmpty();

        cluster.pass(Duration.ofSeconds(1));

        assertThat(hintsForN3()).hasSize(1);
        assertThat(node.parts.inFlight().writes()).isZero();
    }

    private List<StoredHint> hintsForN3() {
        return Objects.requireNonNull(
                        node.hints.page("n3", 0, 10, Long.MAX_VALUE).block())
                .hints();
    }

    @Test
    void writesWhoseClientsHaveGoneStillCount() {
        byte[] large = new byte[1 << 20];
        for (int i = 0; i < 31; i++) {
            node.coordinator
                    .change(Key.of("k" + i), Draft.ofValue(large), new Condition.None())
                    .subscribe()
                    .dispose();
        }

        var _ = node.coordinator
                .change(KEY, Draft.ofValue(large), new Condition.None())
                .subscribe(outcomes::add);
        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.Rejected.class, rejected -> {
            assertThat(rejected.fate()).isEqualTo(Fate.NOT_DONE);
            assertThat(rejected.shortfall().isOverload()).isTrue();
        });

        cluster.pass(Duration.ofSeconds(5));
        outcomes.clear();
        var _ = node.coordinator
                .change(KEY, Draft.ofValue(large), new Condition.None())
                .subscribe(outcomes::add);
        cluster.pass(Duration.ofSeconds(5));
        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.Written.class);
    }
}
