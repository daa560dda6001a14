package dev.kvorum.node.consensus;

import static dev.kvorum.node.consensus.RegisterCluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.consensus.RegisterCluster.Node;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A write whose proposal only its own node has accepted, as others have promised more meanwhile. */
class OutbidRoundsTest {
    private static final long START_MILLIS = 1_700_000_000_000L;

    private final RegisterCluster cluster =
            new RegisterCluster(1, Topologies.of(1, "n1", "n2", "n3"), List.of("n1", "n2", "n3"));
    private final Node node = cluster.node("n1");
    private final List<ChangeOutcome> outcomes = new ArrayList<>();

    private static Draft value(String text) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Version at(long millis, long count) {
        return new Version((millis << 16) + count, 5);
    }

    private void write(Condition condition) {
        var _ = node.coordinator.change(KEY, value("mine"), condition).subscribe(outcomes::add);
    }

    /** Its round has its promises, and then others promise a greater ballot before they are asked to accept. */
    private void outbid(Version ballot) {
        cluster.deliver();
        List.of("n2", "n3").forEach(name -> promise(name, ballot));
    }

    private void promise(String name, Version ballot) {
        assertThat(cluster.node(name).acceptor.prepare(KEY, ballot, false, 1).block())
                .isInstanceOf(Vote.Promised.class);
    }

    private Proposal ownProposal() {
        return Objects.requireNonNull(Objects.requireNonNull(node.registers.row(node.partition(), KEY))
                .accepted());
    }

    private void acceptElsewhere(Proposal proposal) {
        for (String name : List.of("n2", "n3")) {
            assertThat(cluster.node(name).acceptor.accept(KEY, proposal, 1).block())
                    .isEqualTo(new Vote.Done(name));
        }
    }

    private void goOn() {
        cluster.deliverAll();
        for (int i = 0; i < 10; i++) {
            cluster.tick();
        }
    }

    private String text(String name) {
        return StandardCharsets.UTF_8
                .decode(Objects.requireNonNull(cluster.node(name).cell()).value())
                .toString();
    }

    @Test
    void ownProposalThatStoodIsFinishedUnderItsVersion() {
        write(new Condition.None());
        outbid(at(START_MILLIS, 500));
        cluster.deliver(); // The promises arrive, and this node accepts its own proposal.
        Proposal own = ownProposal();

        goOn();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Written.class,
                        written -> assertThat(written.version()).isEqualTo(own.version()));
        assertThat(cluster.nodes.values())
                .allSatisfy(each -> assertThat(each.cell()).isEqualTo(own.cell()));
        assertThat(node.count("kvorum.register.rounds", "outcome", "outbid")).isOne();
        assertThat(node.count("kvorum.register.rounds", "outcome", "finished")).isOne();
        assertThat(node.count("kvorum.register.rounds", "outcome", "changed")).isZero();
    }

    @Test
    void ownProposalThatOthersBuiltOnIsDone() {
        write(new Condition.None());
        outbid(at(START_MILLIS, 500));
        cluster.deliver();
        Version own = ownProposal().version();
        Cell next = value("next").stamp(KEY, at(START_MILLIS, 500), 3);
        acceptElsewhere(Proposal.of(at(START_MILLIS, 500), next, List.of(own, Version.NONE)));

        goOn();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Written.class,
                        written -> assertThat(written.version()).isEqualTo(own));
        assertThat(node.cell()).isEqualTo(next);
    }

    @Test
    void writeThatOthersPassedByIsProposedAnewOnTopOfTheirs() {
        write(new Condition.None());
        outbid(at(START_MILLIS, 500));
        cluster.deliver();
        Version first = ownProposal().version();
        Cell other = value("other").stamp(KEY, at(START_MILLIS, 500), 3);
        acceptElsewhere(Proposal.of(at(START_MILLIS, 500), other, List.of(Version.NONE)));

        goOn();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Written.class,
                        written -> assertThat(written.version())
                                .matches(version -> version.isAbove(other.version()), "above the other")
                                .isNotEqualTo(first));
        assertThat(text("n2")).isEqualTo("mine");
        assertThat(ownProposal().lineage()).startsWith(other.version(), Version.NONE);
        assertThat(node.count("kvorum.register.rounds", "outcome", "changed")).isOne();
    }

    @Test
    void conditionThatOthersHaveBrokenFailsAndTheirsIsFinished() {
        write(new Condition.Absent());
        outbid(at(START_MILLIS, 500));
        cluster.deliver();
        Cell other = value("other").stamp(KEY, at(START_MILLIS, 500), 3);
        acceptElsewhere(Proposal.of(at(START_MILLIS, 500), other, List.of(Version.NONE)));

        goOn();

        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.ConditionFailed.class, failed -> {
            assertThat(failed.current()).isEqualTo(other.version());
            assertThat(failed.acks()).isGreaterThanOrEqualTo(2);
        });
        assertThat(cluster.nodes.values())
                .allSatisfy(each -> assertThat(each.cell()).isEqualTo(other));
    }

    /** Its proposal may come to be for as long as an acceptor holds it: a lower ballot must not have its way any more. */
    @Test
    void conditionThatOthersHaveBrokenFailsForGoodWhereTheirsIsWrittenAlready() {
        write(new Condition.Absent());
        outbid(at(START_MILLIS, 500));
        cluster.deliver();
        Cell other = value("other").stamp(KEY, at(START_MILLIS, 500), 3);
        acceptElsewhere(Proposal.of(at(START_MILLIS, 500), other, List.of(Version.NONE)));
        for (Node each : cluster.nodes.values()) {
            assertThat(each.acceptor.commit(KEY, other, 1).block()).isEqualTo(new Vote.Done(each.name));
        }

        goOn();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.ConditionFailed.class,
                        failed -> assertThat(failed.current()).isEqualTo(other.version()));
        Proposal last = ownProposal();
        assertThat(last.version()).isEqualTo(other.version());
        assertThat(last.cell()).isNull();
        assertThat(last.ballot().isAbove(at(START_MILLIS, 500))).isTrue();
    }

    @Test
    void writeThatNeitherStoodNorWasPassedByCanNotBeToldAnyMore() {
        write(new Condition.None());
        outbid(at(START_MILLIS, 500));
        cluster.deliver();
        Cell other = value("other").stamp(KEY, at(START_MILLIS, 500), 3);
        acceptElsewhere(Proposal.of(at(START_MILLIS, 500), other, List.of(at(START_MILLIS, 400))));

        goOn();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Overtaken.class,
                        overtaken -> assertThat(overtaken.shortfall().acks()).isOne());
    }

    @Test
    void pausesBetweenRoundsDoubleUpToABound() {
        node.chance = () -> 0.5;
        List<Long> begun = new ArrayList<>();
        write(new Condition.None());
        int before = node.registers.steps;
        begun.add(cluster.now());
        List.of("n2", "n3").forEach(this::keepAhead);
        cluster.deliverAll();

        for (int i = 0; i < 400; i++) {
            List.of("n2", "n3").forEach(this::keepAhead);
            cluster.tick();
            if (node.registers.steps > before) {
                before = node.registers.steps;
                begun.add(cluster.now());
            }
        }

        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < 8; i++) {
            pauses.add(Duration.ofNanos(begun.get(i) - begun.get(i - 1)).toMillis());
        }
        assertThat(pauses).containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 64L);
    }

    /** Promises a ballot that this node can't have seen yet. */
    private void keepAhead(String name) {
        Node other = cluster.node(name);
        other.registers.put(
                other.partition(), KEY, new Acceptance(new Version(node.clock.newest() + (1 << 24), 5), 1, null));
    }

    /** Its pause is over before anybody has looked whether its time is. */
    @Test
    void processThatWasFrozenInItsPauseBeginsNoOtherRound() {
        node.chance = () -> 0.5;
        write(new Condition.None());
        outbid(at(START_MILLIS, 500));
        cluster.deliverAll();
        int before = node.registers.steps;

        cluster.freeze(node.parts.deadline());
        node.deadlines.sweep();

        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.TimedOut.class, late -> {
            assertThat(late.fate()).isEqualTo(Fate.UNKNOWN);
            assertThat(late.shortfall().acks()).isOne();
        });
        assertThat(node.registers.steps).isEqualTo(before);
    }

    @Test
    void greaterBallotThatIsTooFarAheadOfThisNodesClockEndsTheWrite() {
        Version ahead = at(START_MILLIS + Duration.ofMinutes(1).toMillis(), 0);
        for (String name : List.of("n2", "n3")) {
            Node other = cluster.node(name);
            other.registers.put(other.partition(), KEY, new Acceptance(ahead, 1, null));
        }
        write(new Condition.None());

        cluster.deliverAll();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Unavailable.class, unavailable -> assertTooFarAhead(unavailable, "this node"));
    }

    @Test
    void memberThatFailedIsNamedWhereTheBallotOfAnotherIsTooFarAhead() {
        Version ahead = at(START_MILLIS + Duration.ofMinutes(1).toMillis(), 0);
        Node second = cluster.node("n2");
        second.registers.put(second.partition(), KEY, new Acceptance(ahead, 1, null));
        Node third = cluster.node("n3");
        third.registers.failure = new IllegalStateException("planned");
        write(new Condition.None());

        cluster.deliverAll();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Unavailable.class, unavailable -> assertTooFarAhead(unavailable, "n3"));
    }

    private static void assertTooFarAhead(ChangeOutcome.Unavailable unavailable, String member) {
        assertThat(unavailable.fate()).isEqualTo(Fate.NOT_DONE);
        assertThat(unavailable.shortfall().quorum().ack()).isEqualTo(2);
        assertThat(unavailable.shortfall().failures()).singleElement().satisfies(failure -> {
            assertThat(failure.member()).isEqualTo(member);
            assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
            assertThat(failure.detail()).contains("too far ahead of this node's clock");
        });
    }

    @Test
    void stateThatIsTooFarAheadOfThisNodesClockIsNotWrittenOver() {
        Cell ahead = value("ahead")
                .stamp(KEY, at(START_MILLIS + Duration.ofMinutes(1).toMillis(), 0), 3);
        cluster.nodes.values().forEach(each -> each.registers.write(each.partition(), KEY, ahead));
        write(new Condition.None());

        cluster.deliverAll();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Unavailable.class, unavailable -> assertTooFarAhead(unavailable, "this node"));
        assertThat(node.cell()).isEqualTo(ahead);
    }

    @Test
    void writeThatNobodyAcceptedInTimeMayBeDone() {
        write(new Condition.None());
        cluster.deliver();
        cluster.node("n2").isUp = false;
        cluster.node("n3").isUp = false;
        cluster.deliver();

        cluster.pass(Duration.ofSeconds(1));

        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ChangeOutcome.Unavailable.class, unavailable -> {
            assertThat(unavailable.fate()).isEqualTo(Fate.UNKNOWN);
            assertThat(unavailable.shortfall().acks()).isOne();
            assertThat(unavailable.shortfall().failures())
                    .extracting(ReplicaFailure::reason)
                    .containsOnly(Reason.TIMED_OUT);
        });
        assertThat(node.count("kvorum.register.rounds", "outcome", "failed")).isOne();
    }

    @Test
    void versionsThatAreAskedForAreThoseOfTheState() {
        Cell there = value("there").stamp(KEY, at(START_MILLIS, 1), 3);
        cluster.nodes.values().forEach(each -> each.registers.write(each.partition(), KEY, there));
        write(new Condition.OneOf(Set.of(there.version().toString())));

        cluster.deliverAll();

        assertThat(outcomes)
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeOutcome.Written.class,
                        written -> assertThat(written.quorum().toString()).isEqualTo("2/3"));
        assertThat(ownProposal().lineage()).containsExactly(there.version());
        assertThat(text("n3")).isEqualTo("mine");
    }
}
