package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds that change nothing: the condition of a write does not hold, or there is only something to settle. They make the state certain before they tell of it. */
class UnchangedStateTest {
    private static final long START = 1_700_000_000_000L << 16;
    private static final Condition ANOTHER = new Condition.OneOf(Set.of("another"));

    private final RegisterCluster cluster =
            new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3"));
    private final Node node = cluster.node("n1");
    private final Node second = cluster.node("n2");
    private final Node third = cluster.node("n3");
    private final List<ChangeOutcome> outcomes = new ArrayList<>();

    private static Cell cell(long count, String text) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8)).stamp(KEY, new Version(START + count, 5), 3);
    }

    private void writeIfAnother() {
        var _ = node.coordinator
                .change(KEY, Draft.ofValue(new byte[] {1}), ANOTHER)
                .subscribe(outcomes::add);
    }

    private void settle() {
        var _ = node.coordinator.settle(KEY).subscribe(outcomes::add);
    }

    private void put(Node at, Cell cell) {
        at.registers.write(at.partition(), KEY, cell);
    }

    private void assertFailed(Version current) {
        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.ConditionFailed.class, failed -> {
            assertThat(failed.current()).isEqualTo(current);
            assertThat(failed.acks()).isEqualTo(2);
            assertThat(failed.quorum().toString()).isEqualTo("2/3");
        });
    }

    @Test
    void stateThatAMajorityHasIsToldWithoutAnotherQuestion() {
        Cell cell = cell(1, "there");
        cluster.nodes.values().forEach(each -> put(each, cell));
        writeIfAnother();

        cluster.deliverAll();

        assertFailed(cell.version());
        assertThat(cluster.nodes.values())
                .extracting(each -> each.registers.steps)
                .containsOnly(1);
        assertThat(node.count("kvorum.register.rounds", "outcome", "unchanged")).isOne();
        assertThat(node.count("kvorum.register.rounds", "outcome", "finished")).isZero();
    }

    @Test
    void nothingIsToldWithoutAnotherQuestion() {
        writeIfAnother();

        cluster.deliverAll();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.ConditionFailed.class,
                        failed -> assertThat(failed.current()).isNull());
        assertThat(cluster.nodes.values())
                .extracting(each -> each.registers.steps)
                .containsOnly(1);
    }

    @Test
    void deletionHasNoVersionThatAConditionCouldName() {
        Cell deletion = Draft.tombstone().stamp(KEY, new Version(START + 1, 5), 3);
        cluster.nodes.values().forEach(each -> put(each, deletion));
        writeIfAnother();

        cluster.deliverAll();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.ConditionFailed.class,
                        failed -> assertThat(failed.current()).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"n2", "n3"})
    void stateThatOneMemberHasIsBroughtToAMajorityBeforeItIsTold(String holder) {
        Cell cell = cell(1, "only there");
        List.of(second, third).forEach(each -> each.isUp = each.name.equals(holder));
        put(cluster.node(holder), cell);
        writeIfAnother();
        cluster.deliver();
        cluster.deliver(); // The promises are there, and the cell is asked for.
        assertThat(outcomes).isEmpty();

        cluster.deliverAll();

        assertFailed(cell.version());
        assertThat(node.cell()).isEqualTo(cell);
    }

    @Test
    void stateThatWasOvertakenWhileItWasAskedForIsLookedAtAnew() {
        third.isUp = false;
        put(second, cell(1, "older"));
        Cell newer = cell(2, "newer");
        writeIfAnother();
        cluster.deliver();
        cluster.deliver();
        put(second, newer);
        cluster.deliver();
        cluster.deliver();
        assertThat(node.cell()).isNull();

        cluster.pass(Duration.ofMillis(100));

        assertFailed(newer.version());
        assertThat(node.cell()).isEqualTo(newer);
    }

    @Test
    void stateThatWasDroppedWhileItWasAskedForIsLookedAtAnew() {
        third.isUp = false;
        put(second, cell(1, "dropped"));
        writeIfAnother();
        cluster.deliver();
        cluster.deliver();
        second.registers.removeCell(second.partition(), KEY);

        cluster.pass(Duration.ofMillis(100));

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.ConditionFailed.class,
                        failed -> assertThat(failed.current()).isNull());
    }

    @Test
    void holderThatDoesNotAnswerEndsTheWriteWithNothingDone() {
        third.isUp = false;
        put(second, cell(1, "only n2"));
        writeIfAnother();
        cluster.deliver();
        cluster.deliver();
        second.isUp = false;

        cluster.pass(Duration.ofSeconds(1));

        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.Unavailable.class, unavailable -> {
            assertThat(unavailable.fate()).isEqualTo(Fate.NOT_DONE);
            assertThat(unavailable.shortfall().failures())
                    .extracting(ReplicaFailure::member, ReplicaFailure::reason)
                    .containsExactly(tuple("n2", Reason.TIMED_OUT));
        });
    }

    @Test
    void holderThatHasTooMuchToDoRejectsTheWrite() {
        third.isUp = false;
        put(second, cell(1, "only n2"));
        writeIfAnother();
        cluster.deliver();
        cluster.deliver();
        second.registers.failure = new StoreOverloadedException();

        cluster.deliverAll();

        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.Rejected.class, rejected -> {
            assertThat(rejected.fate()).isEqualTo(Fate.NOT_DONE);
            assertThat(rejected.shortfall().isOverload()).isTrue();
        });
    }

    @Test
    void holderOfANewerEpochIsAskedAgainByThatAtOnce() {
        third.isUp = false;
        Cell cell = cell(1, "only n2");
        put(second, cell);
        writeIfAnother();
        cluster.deliver();
        cluster.deliver();
        second.membership.offer(Topologies.of(2, "n1", "n2", "n3"));

        cluster.deliverAll();

        assertFailed(cell.version());
    }

    @Test
    void holderOfANewerEpochThatThisNodeDoesNotKnowYetIsAskedAgainAfterAPause() {
        node.learns = false;
        third.isUp = false;
        Cell cell = cell(1, "only n2");
        put(second, cell);
        writeIfAnother();
        cluster.deliver();
        cluster.deliver();
        second.membership.offer(Topologies.of(2, "n1", "n2", "n3"));
        cluster.deliverAll();
        assertThat(outcomes).isEmpty();

        node.membership.offer(Topologies.of(2, "n1", "n2", "n3"));
        cluster.pass(Duration.ofMillis(100));

        assertFailed(cell.version());
    }

    @Test
    void newestCellThatNobodyElseTakesIsNotTold() {
        third.isUp = false;
        put(second, cell(1, "only n2"));
        writeIfAnother();
        cluster.deliver();
        cluster.deliver();
        cluster.deliver(); // The cell is on its way here.
        node.registers.failure = new IllegalStateException("planned");

        cluster.pass(Duration.ofSeconds(1));

        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.Unavailable.class);
    }

    @Test
    void proposalLeftOpenIsFinishedBeforeTheConditionIsToldToFail() {
        Cell open = cell(1, "open");
        Proposal proposal = Proposal.of(open.version(), open, List.of());
        assertThat(second.acceptor.accept(KEY, proposal, 1).block()).isEqualTo(new Vote.Done("n2"));
        assertThat(node.clock.observe(open.version())).isTrue(); // Else its first ballot were too low.
        third.isUp = false;
        writeIfAnother();

        cluster.deliverAll();

        assertFailed(open.version());
        assertThat(node.cell()).isEqualTo(open);
        assertThat(second.cell()).isEqualTo(open);
        assertThat(node.count("kvorum.register.rounds", "outcome", "finished")).isOne();
        assertThat(node.count("kvorum.register.rounds", "outcome", "unchanged")).isZero();
    }

    @Test
    void settlingAStateLeavesNoLowerBallotAChance() {
        Cell cell = cell(1, "there");
        cluster.nodes.values().forEach(each -> put(each, cell));
        settle();

        cluster.deliverAll();

        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.Written.class, written -> {
            assertThat(written.version()).isEqualTo(cell.version());
            assertThat(written.acks()).isEqualTo(2);
        });
        assertThat(cluster.nodes.values()).allSatisfy(each -> {
            Acceptance row = Objects.requireNonNull(each.registers.row(each.partition(), KEY));
            Proposal accepted = Objects.requireNonNull(row.accepted());
            assertThat(accepted.ballot()).isEqualTo(row.promised());
            assertThat(accepted.version()).isEqualTo(cell.version());
            assertThat(accepted.cell()).isNull();
            assertThat(each.cell()).isEqualTo(cell);
        });
    }

    @Test
    void settlingAProposalFinishesItAsItWas() {
        Cell open = cell(2, "open");
        Proposal proposal = Proposal.of(open.version(), open, List.of(new Version(START + 1, 5)));
        assertThat(node.acceptor.accept(KEY, proposal, 1).block()).isEqualTo(new Vote.Done("n1"));
        settle();

        cluster.deliverAll();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Written.class,
                        written -> assertThat(written.version()).isEqualTo(open.version()));
        assertThat(third.cell()).isEqualTo(open);
        Acceptance row = Objects.requireNonNull(third.registers.row(third.partition(), KEY));
        assertThat(Objects.requireNonNull(row.accepted()).lineage()).isEqualTo(proposal.lineage());
    }

    @Test
    void settlingWhatOneMemberHasBringsItToAMajority() {
        third.isUp = false;
        Cell cell = cell(1, "only n2");
        put(second, cell);
        settle();

        cluster.deliverAll();

        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.Written.class);
        assertThat(node.cell()).isEqualTo(cell);
    }

    /** Both may lack other cells. What one tells of it has. */
    @Test
    void settlingBringsWhatAMemberHasAfterAPowerCutToAMajority() {
        third.isUp = false;
        Cell cell = cell(1, "only n2");
        put(second, cell);
        node.losePower();
        second.losePower();
        settle();

        cluster.deliverAll();

        assertThat(outcomes).singleElement().isInstanceOf(ChangeOutcome.Written.class);
        assertThat(node.cell()).isEqualTo(cell);
    }

    /** A round that only settles is answered by a member that is rebuilding, where no round is decided without it; one that changes something is not. */
    @Test
    void roundThatChangesSomethingDoesNotPassForOneThatSettles() {
        RegisterCluster two = new RegisterCluster(1, Topologies.of(1, "n1", "n2"), List.of("n1", "n2"));
        two.node("n2").loseDisk();
        two.freeze(Duration.ofSeconds(11));
        Node first = two.node("n1");

        var _ = first.coordinator
                .change(KEY, Draft.ofValue(new byte[] {1}), new Condition.None())
                .subscribe(outcomes::add);
        two.deliverAll();
        var _ = first.coordinator.settle(KEY).subscribe(outcomes::add);
        two.deliverAll();

        assertThat(outcomes)
                .satisfiesExactly(
                        change -> assertThat(change).isInstanceOf(ChangeOutcome.Unavailable.class),
                        settled -> assertThat(settled).isInstanceOf(ChangeOutcome.Written.class));
    }
}
