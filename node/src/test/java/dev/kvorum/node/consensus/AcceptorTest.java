package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class AcceptorTest {
    private final RegisterCluster cluster = new RegisterCluster(1, Topologies.of(1, "n1"), List.of("n1"));
    private final Node node = cluster.node("n1");

    private Version ballot(long count) {
        return new Version((1_700_000_000_000L << 16) + count, 5);
    }

    private static Cell cell(Version version, String value) {
        return Draft.ofValue(value.getBytes(StandardCharsets.UTF_8)).stamp(KEY, version, 3);
    }

    private Vote prepare(Version ballot) {
        return Objects.requireNonNull(
                node.acceptor.prepare(KEY, ballot, false, 1).block());
    }

    private Vote accept(Version ballot, Cell cell) {
        return Objects.requireNonNull(node.acceptor
                .accept(KEY, Proposal.of(ballot, cell, List.of()), 1)
                .block());
    }

    private Vote commit(Cell cell) {
        return Objects.requireNonNull(node.acceptor.commit(KEY, cell, 1).block());
    }

    @Test
    void lowerBallotThanPromisedIsOutbidInEitherPhase() {
        prepare(ballot(5));

        assertThat(prepare(ballot(4))).isEqualTo(new Vote.Outbid("n1", ballot(5)));
        assertThat(accept(ballot(4), cell(ballot(4), "a"))).isEqualTo(new Vote.Outbid("n1", ballot(5)));
        assertThat(accept(ballot(5), cell(ballot(5), "b"))).isEqualTo(new Vote.Done("n1"));
    }

    @Test
    void acceptIsAPromiseToo() {
        accept(ballot(5), cell(ballot(5), "b"));

        assertThat(prepare(ballot(4))).isEqualTo(new Vote.Outbid("n1", ballot(5)));
    }

    @Test
    void whatIsAcceptedIsToldButNotReadUntilItIsCommitted() {
        Cell cell = cell(ballot(2), "b");
        accept(ballot(2), cell);

        assertThat(node.acceptor.query(KEY, 1).block()).isEqualTo(new Vote.Answered("n1", null));
        assertThat(prepare(ballot(3)))
                .isEqualTo(new Vote.Promised("n1", Proposal.of(ballot(2), cell, List.of()), null));

        commit(cell);

        assertThat(node.acceptor.query(KEY, 1).block()).isEqualTo(new Vote.Answered("n1", cell));
        assertThat(prepare(ballot(4)))
                .isEqualTo(new Vote.Promised("n1", new Proposal(ballot(2), ballot(2), null, List.of()), cell.head()));
    }

    @Test
    void promiseAndAcceptedProposalOutliveTheProcess() {
        accept(ballot(2), cell(ballot(2), "b"));
        prepare(ballot(7));

        node.restart();

        assertThat(prepare(ballot(6))).isEqualTo(new Vote.Outbid("n1", ballot(7)));
        assertThat(((Vote.Promised) prepare(ballot(8))).accepted()).isNotNull();
    }

    @Test
    void commitOfAnOlderCellTakesNothingBack() {
        Cell newer = cell(ballot(9), "newer");
        commit(newer);

        commit(cell(ballot(3), "older"));

        assertThat(node.cell()).isEqualTo(newer);
    }

    @Test
    void ballotsOfAnotherTimeAreRefused() {
        Version old = new Version((1_700_000_000_000L - Duration.ofMinutes(31).toMillis()) << 16, 5);
        Version ahead = new Version((1_700_000_000_000L + 60_000) << 16, 5);

        assertThat(prepare(old)).satisfies(vote -> assertRefused(vote, "older than"));
        assertThat(prepare(ahead)).satisfies(vote -> assertRefused(vote, "too far ahead"));
    }

    private static void assertRefused(Vote vote, String reason) {
        assertThat(vote).isInstanceOf(Vote.Failed.class);
        assertThat(((Vote.Failed) vote).failure().reason()).isEqualTo(Reason.REFUSED);
        assertThat(((Vote.Failed) vote).failure().detail()).contains(reason);
    }

    @Test
    void callOfAnotherEpochIsRefused() {
        Vote vote = Objects.requireNonNull(
                node.acceptor.prepare(KEY, ballot(1), false, 2).block());

        assertThat(((Vote.Failed) vote).failure().reason()).isEqualTo(Reason.BEHIND);
        assertThat(node.registers.row(node.partition(), KEY)).isNull();
    }

    @Test
    void votesComeOverTheWireAsTheyWere() {
        Cell cell = cell(ballot(2), "b");
        Proposal proposal = Proposal.of(ballot(3), cell, List.of(ballot(1), Version.NONE));
        Vote promised = new Vote.Promised("n1", proposal, cell.head());

        assertThat(RegisterProtocol.decodePromise("n1", KEY, RegisterProtocol.encode(promised)))
                .isEqualTo(promised);
        assertThat(RegisterProtocol.decodeAccept(RegisterProtocol.encodeAccept(KEY, proposal))
                        .about())
                .isEqualTo(proposal);
        assertThat(RegisterProtocol.decodeAnswer("n1", KEY, RegisterProtocol.encode(new Vote.Answered("n1", null))))
                .isEqualTo(new Vote.Answered("n1", null));
    }

    @Test
    void promiseWithoutAnythingAcceptedIsForgottenAfterAnHourAndNotBefore() {
        prepare(ballot(5));

        node.settling.forget().block();
        assertThat(node.registers.row(node.partition(), KEY)).isNotNull();

        node.skewMillis = Duration.ofMinutes(61).toMillis();
        node.settling.forget().block();
        assertThat(node.registers.row(node.partition(), KEY)).isNull();
    }

    @Test
    void soIsTheAcceptanceThatThereIsNothing() {
        Proposal nothing = new Proposal(ballot(5), Version.NONE, null, List.of());
        assertThat(node.acceptor.accept(KEY, nothing, 1).block()).isEqualTo(new Vote.Done("n1"));

        node.settling.forget().block();
        assertThat(node.registers.row(node.partition(), KEY)).isNotNull();

        node.skewMillis = Duration.ofMinutes(61).toMillis();
        node.settling.forget().block();
        assertThat(node.registers.row(node.partition(), KEY)).isNull();
    }

    @Test
    void rowGoesWithTheDeletionThatAllHaveDropped() {
        Cell deletion = Draft.tombstone().stamp(KEY, ballot(2), 3);
        accept(ballot(2), deletion);
        commit(deletion);
        node.skewMillis = Duration.ofMinutes(61).toMillis();

        node.settling.forget().block();
        assertThat(node.registers.row(node.partition(), KEY)).isNotNull();

        node.registers.removeCell(node.partition(), KEY);
        node.settling.forget().block();
        assertThat(node.registers.row(node.partition(), KEY)).isNull();
    }

    @Test
    void promiseThatWasJustMadeOutlivesAChangeOfTheOwners() {
        RegisterCluster two = new RegisterCluster(1, Topologies.of(1, "n2"), List.of("n1", "n2"));
        Node joins = two.node("n1");
        // The step that looks is on its way when the epoch comes in which this node is an owner, and has promised
        // something.
        joins.registers.beforeLook = () -> {
            joins.membership.offer(Topologies.of(2, "n1", "n2"));
            assertThat(joins.acceptor.prepare(KEY, ballot(5), false, 2).block()).isInstanceOf(Vote.Promised.class);
        };
        joins.registers.put(joins.partition(), KEY, new Acceptance(ballot(1), 1, null));

        joins.settling.forget().block();

        assertThat(joins.registers.row(joins.partition(), KEY))
                .isNotNull()
                .extracting(Acceptance::promised)
                .isEqualTo(ballot(5));
    }

    @Test
    void proposalLeftOpenIsFinishedAfterTenSeconds() {
        Cell cell = cell(ballot(2), "half-way");
        accept(ballot(2), cell);

        node.settling.finishOld().block();
        assertThat(node.cell()).isNull(); // It may still be under way.

        node.skewMillis = Duration.ofSeconds(11).toMillis();
        node.settling.finishOld().block();
        assertThat(node.cell()).isEqualTo(cell);
    }

    @Test
    void proposalLeftOpenIsFinishedAtOnceWhereItsPartitionIsCompared() {
        Cell cell = cell(ballot(2), "half-way");
        accept(ballot(2), cell);

        assertThat(node.settling.settle(node.partition()).block()).isTrue();

        assertThat(node.cell()).isEqualTo(cell);
    }

    @Test
    void proposalOfAFormerLifeIsFoundWhereItsPartitionIsCompared() {
        Cell cell = cell(ballot(2), "half-way");
        accept(ballot(2), cell);
        node.restart();

        assertThat(node.settling.settle(node.partition()).block()).isTrue();

        assertThat(node.cell()).isEqualTo(cell);
    }

    @Test
    void comparisonTouchesNoRegisterThatIsNotOpen() {
        Cell cell = cell(ballot(2), "done");
        accept(ballot(2), cell);
        commit(cell);
        node.restart();
        int before = node.registers.steps;

        assertThat(node.settling.settle(node.partition()).block()).isTrue();

        assertThat(node.registers.steps).isEqualTo(before);
    }

    @Test
    void whatIsCommittedIsNotOpenAnyMoreAndWhatIsAcceptedMeanwhileIs() {
        Cell cell = cell(ballot(2), "first");
        accept(ballot(2), cell);
        assertThat(node.acceptor.open().size()).isOne();

        commit(cell);
        assertThat(node.acceptor.open().size()).isZero();

        accept(ballot(3), cell(ballot(3), "second"));
        commit(cell);
        assertThat(node.acceptor.open().size()).isOne();
    }

    @Test
    void lostDiskServesNoBallotThatItMayHavePromisedToOutbid() {
        // One writer has its promises and pauses; another outbids it with this node's help; then this node loses its
        // disk.
        prepare(ballot(1));
        prepare(ballot(2));
        accept(ballot(2), cell(ballot(2), "winner"));

        node.loseDisk();

        assertThat(accept(ballot(1), cell(ballot(1), "late")))
                .satisfies(vote -> assertRefused(vote, "forgotten its promises"));
        assertThat(node.registers.row(node.partition(), KEY)).isNull();
    }

    /** What it may have accepted, two others know between them; but they need not both be heard. */
    @Test
    void lostDiskOfThreePromisesNothingBeforeItIsRebuilt() {
        Node ofThree = new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1")).node("n1");
        ofThree.loseDisk();
        ofThree.skewMillis = Duration.ofSeconds(11).toMillis();
        Version later = new Version((1_700_000_000_000L + 10_001) << 16, 5);

        assertThat(ofThree.acceptor.prepare(KEY, later, true, 1).block())
                .satisfies(vote -> assertRefused(vote, "rebuilding"));
        assertThat(ofThree.acceptor.query(KEY, 1).block()).satisfies(vote -> assertRefused(vote, "rebuilding"));
    }

    /** What it has accepted may have lost, and those that know what won may be gone. Its promises hold. */
    @Test
    void memberThatWasRemovedAndAddedAgainDoesNotTellWhatItHadAcceptedBefore() {
        accept(ballot(2), cell(ballot(2), "loser"));

        node.comeBack(2);

        assertThat(prepare(ballot(1))).isEqualTo(new Vote.Outbid("n1", ballot(2)));
        assertThat(prepare(ballot(3))).isEqualTo(new Vote.Promised("n1", null, null));
    }

    @Test
    void memberThatWasNeverAwayTellsWhatItHasAccepted() {
        Cell cell = cell(ballot(2), "open");
        accept(ballot(2), cell);

        node.comeBack(1);

        assertThat(prepare(ballot(3)))
                .isEqualTo(new Vote.Promised("n1", Proposal.of(ballot(2), cell, List.of()), null));
    }

    /** Its rows were on the disk. Of cells, which other rounds ask for, the last may be gone. */
    @Test
    void memberAfterAPowerCutHelpsToSettleWithWhatItHasAcceptedAndNothingElse() {
        Node ofThree = new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1")).node("n1");
        Proposal proposal = Proposal.of(ballot(1), cell(ballot(1), "open"), List.of());
        assertThat(ofThree.acceptor.accept(KEY, proposal, 1).block()).isEqualTo(new Vote.Done("n1"));

        ofThree.losePower();

        assertThat(ofThree.acceptor.prepare(KEY, ballot(2), true, 1).block())
                .isEqualTo(new Vote.Promised("n1", proposal, null));
        assertThat(ofThree.acceptor.prepare(KEY, ballot(3), false, 1).block())
                .satisfies(vote -> assertRefused(vote, "rebuilding"));
        assertThat(ofThree.acceptor.query(KEY, 1).block()).satisfies(vote -> assertRefused(vote, "rebuilding"));
    }

    /** What it may have accepted, the other knows, without whom nothing is decided; what was written without a round, a third may know. */
    @Test
    void lostDiskOfTwoHelpsToSettleAtOnceAndNothingElse() {
        Node ofTwo = new RegisterCluster(1, Topologies.of(1, "n1", "n2"), List.of("n1")).node("n1");
        ofTwo.loseDisk();
        ofTwo.skewMillis = Duration.ofSeconds(11).toMillis();
        Version later = new Version((1_700_000_000_000L + 10_001) << 16, 5);

        assertThat(ofTwo.acceptor.prepare(KEY, later, true, 1).block()).isEqualTo(new Vote.Promised("n1", null, null));
        assertThat(ofTwo.acceptor.prepare(KEY, later, false, 1).block())
                .satisfies(vote -> assertRefused(vote, "rebuilding"));
        assertThat(ofTwo.acceptor.query(KEY, 1).block()).satisfies(vote -> assertRefused(vote, "rebuilding"));
    }

    /** While they become three: else what is open could not be settled, and the change not go on. While three become two, two of the three may have decided without it. */
    @Test
    void lostDiskHelpsToSettleByThePresentOwners() {
        Version later = new Version((1_700_000_000_000L + 10_001) << 16, 5);
        Topology growing = changing(MemberState.JOINING);
        Topology shrinking = changing(MemberState.LEAVING);

        assertThat(settles(growing, later)).isEqualTo(new Vote.Promised("n1", null, null));
        assertThat(settles(shrinking, later)).satisfies(vote -> assertRefused(vote, "rebuilding"));
    }

    private static Topology changing(MemberState third) {
        return Topologies.of(
                1, List.of(Topologies.member("n1"), Topologies.member("n2"), Topologies.member("n3", third)));
    }

    private static Vote settles(Topology topology, Version ballot) {
        Node lost = new RegisterCluster(1, topology, List.of("n1")).node("n1");
        lost.loseDisk();
        lost.skewMillis = Duration.ofSeconds(11).toMillis();
        return Objects.requireNonNull(
                lost.acceptor.prepare(KEY, ballot, true, 1).block());
    }

    @Test
    void lostDiskAcceptsBallotsThatItCanNotHavePromisedToOutbid() {
        node.loseDisk();
        node.skewMillis = Duration.ofSeconds(11).toMillis();
        Version later = new Version((1_700_000_000_000L + 10_001) << 16, 5);

        assertThat(accept(later, cell(later, "new"))).isEqualTo(new Vote.Done("n1"));
    }

    @Test
    void ballotsAtTheEdgeOfTheirTimeAreServed() {
        Version oldest =
                new Version((1_700_000_000_000L - Duration.ofMinutes(30).toMillis()) << 16, 5);

        assertThat(prepare(oldest)).isInstanceOf(Vote.Promised.class);
    }

    @Test
    void lostDiskServesNoBallotOfTheLastMomentOfItsFormerLife() {
        node.loseDisk();
        node.skewMillis = Duration.ofSeconds(11).toMillis();
        Version last = new Version((1_700_000_000_000L + 10_000) << 16, 5);

        assertThat(accept(last, cell(last, "late"))).satisfies(vote -> assertRefused(vote, "forgotten its promises"));
    }

    @Test
    void cellsThatAreTooFarAheadAreRefused() {
        Version ahead = new Version((1_700_000_000_000L + 60_000) << 16, 5);

        assertThat(accept(ballot(5), cell(ahead, "ahead"))).satisfies(vote -> assertRefused(vote, "too far ahead"));
        assertThat(commit(cell(ahead, "ahead"))).satisfies(vote -> assertRefused(vote, "too far ahead"));
        assertThat(node.registers.rows).isEmpty();
        assertThat(node.cell()).isNull();
    }

    @Test
    void storeThatFailsOrIsFullIsToldApart() {
        node.registers.failure = new IllegalStateException("planned");
        Vote broken = prepare(ballot(5));
        node.registers.failure = new StoreOverloadedException();
        Vote full = prepare(ballot(5));

        assertThat(((Vote.Failed) broken).failure().reason()).isEqualTo(Reason.BROKEN);
        assertThat(((Vote.Failed) broken).failure().detail()).contains("storage failed");
        assertThat(((Vote.Failed) full).failure().reason()).isEqualTo(Reason.OVERLOADED);
    }

    @Test
    void commitThatIsRefusedClosesNothing() {
        Cell cell = cell(ballot(2), "b");
        accept(ballot(2), cell);

        assertThat(node.acceptor.commit(KEY, cell, 2).block()).isInstanceOf(Vote.Failed.class);

        assertThat(node.acceptor.open().all()).containsExactly(KEY);
    }

    @Test
    void cellThatIsThereAlreadyIsNotWrittenAgain() {
        commit(cell(ballot(2), "b"));
        commit(cell(ballot(2), "b"));

        assertThat(node.registers.cellsWritten).isOne();
    }

    @Test
    void stepThatWaitedUntilAnotherEpochWasInForceIsRefused() {
        Cell cell = cell(ballot(2), "b");
        Mono<Vote> waits = node.acceptor.commit(KEY, cell, 1);

        node.membership.offer(Topologies.of(2, "n1"));

        assertThat(waits.block())
                .isInstanceOfSatisfying(
                        Vote.Failed.class,
                        failed -> assertThat(failed.failure().reason()).isEqualTo(Reason.STALE));
        assertThat(node.cell()).isNull();
    }

    /** It tells of nothing that it may have lost. */
    @Test
    void lostDiskTakesCellsThatWereChosenBeforeItIsRebuilt() {
        node.loseDisk();
        Cell cell = cell(ballot(2), "chosen");

        assertThat(commit(cell)).isEqualTo(new Vote.Done("n1"));

        assertThat(node.cell()).isEqualTo(cell);
    }
}
