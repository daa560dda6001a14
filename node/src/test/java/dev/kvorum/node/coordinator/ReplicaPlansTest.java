package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplicaPlansTest {
    private static final Duration PROMPT = Duration.ofMillis(1).dividedBy(2);
    private static final Duration LATE =
            PROMPT.multipliedBy(3); // Than a hedge would be sent; not so slow that its zone does not count.
    private static final Duration SLOW = Duration.ofMillis(5);

    private static final Key KEY = Key.of("cart-7");

    private final Map<String, ManualReplica> origins = new HashMap<>();
    private final Map<String, ObservedReplica> observed = new HashMap<>();
    private long now = 1;
    private final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3", "n4", "n5"));
    private final ReplicaPlans plans = new ReplicaPlans(
            membership,
            this::observed,
            new ReadOrder(Placement.NEAR, ManualCluster.HEDGE_DELAY, bound -> 0),
            ManualCluster.HEDGE_DELAY);

    private List<String> planned(Key key, Quorum quorum) {
        return plans.forWrite(key, AskedQuorums.said(quorum)).replicas().stream()
                .map(Replica::member)
                .toList();
    }

    @Test
    void planIsTheFirstOwnersOfTheKeyWithThisNodeFirstWhereItIsOne() {
        for (int i = 0; i < 100; i++) {
            Key key = Key.of("key-" + i);
            List<String> owners =
                    membership.view().owners(key, 3).stream().map(Member::id).toList();

            List<String> planned = planned(key, new Quorum(2, 3));

            assertThat(planned).containsExactlyInAnyOrderElementsOf(owners);
            if (owners.contains("n1")) {
                assertThat(planned).first().isEqualTo("n1");
            } else {
                assertThat(planned).isEqualTo(owners);
            }
        }
    }

    @Test
    void planGoesByTheLatestEpoch() {
        membership.offer(Topologies.of(2, "n2"));

        assertThat(planned(Key.of("cart-7"), new Quorum(1, 1))).containsExactly("n2");
    }

    private ObservedReplica observed(Member member) {
        return observed.computeIfAbsent(member.id(), id -> ObservedReplicas.of(origin(id), member.zone(), () -> now));
    }

    private ManualReplica origin(String id) {
        return origins.computeIfAbsent(id, ManualReplica::new);
    }

    private void answersIn(Duration time, String... members) {
        for (String id : members) {
            ManualReplica origin = origin(id);
            var _ = observed(membership.view().topology().member(id).orElseThrow())
                    .read(KEY, 1)
                    .subscribe();
            now += time.toNanos();
            origin.findsNothing();
            origin.again();
        }
    }

    /** Whom a read of all five with that {@code ack} asks at once. */
    private List<String> asked(Breadth breadth, int ack) {
        ReplicaPlan plan = plans.forRead(KEY, AskedQuorums.said(new Quorum(ack, 5)), breadth, now);
        return plan.replicas().stream().limit(plan.first()).map(Replica::member).toList();
    }

    @Test
    void whoAnswersLaterThanAnotherWouldBeAskedIsNotAskedAlong() {
        answersIn(PROMPT, "n1", "n2", "n3", "n5");
        answersIn(SLOW, "n4");

        assertThat(asked(Breadth.ALL, 3)).hasSize(5);
        assertThat(asked(Breadth.PROMPT, 3)).containsExactlyInAnyOrder("n1", "n2", "n3", "n5");
        assertThat(asked(Breadth.NEEDED, 3)).hasSize(3).doesNotContain("n4");
    }

    @Test
    void slowOnesAreAskedWhereTheyAreNeeded() {
        answersIn(PROMPT, "n1", "n2");
        answersIn(SLOW, "n3", "n4", "n5");

        assertThat(asked(Breadth.PROMPT, 5)).containsExactlyInAnyOrder("n1", "n2", "n3", "n4", "n5");
    }

    /** Who is waited for that long anyway can be helped by them. */
    @Test
    void slowOnesAreAskedAlongWhereThoseNeededAreAsSlow() {
        answersIn(SLOW, "n1", "n2", "n3", "n4", "n5");

        assertThat(asked(Breadth.PROMPT, 2)).hasSize(5);
    }

    /** Zones that are farther from each other than a hedge may wait. */
    @Test
    void thoseThatAreAsFarAsTheNeededOnesAreAskedAlongHoweverFarThatIs() {
        answersIn(PROMPT, "n1");
        answersIn(ManualCluster.DELAY_MAX.multipliedBy(2), "n2", "n3", "n4", "n5");

        assertThat(asked(Breadth.PROMPT, 2)).hasSize(5);
    }

    @Test
    void thoseOfWhomNothingIsKnownAreAskedAlong() {
        assertThat(asked(Breadth.PROMPT, 2)).hasSize(5);
    }

    @Test
    void whoWasSlowIsMeasuredAgainByOneReadAtATime() {
        answersIn(PROMPT, "n1", "n2", "n3", "n5");
        answersIn(SLOW, "n4");
        ObservedReplica slow =
                observed(membership.view().topology().member("n4").orElseThrow());

        for (int i = 0; i < 2; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(240);
            answersIn(PROMPT, "n1", "n2", "n3", "n5");
            assertThat(asked(Breadth.PROMPT, 3)).doesNotContain("n4");
            now += TimeUnit.MILLISECONDS.toNanos(10);
            assertThat(asked(Breadth.PROMPT, 3)).contains("n4");

            slow.read(KEY, 1).subscribe().dispose(); // It is not needed, but let run to its end.
            assertThat(asked(Breadth.PROMPT, 3)).doesNotContain("n4");
            now += PROMPT.toNanos();
            origin("n4").findsNothing();
            origin("n4").again();
        }

        assertThat(asked(Breadth.PROMPT, 3)).as("it is prompt again").contains("n4");
    }

    /** Those near come before those far: the only one that is prompt would be asked last. */
    @Test
    void lateOnesStayInTheOrderInWhichTheyWouldBeHedged() {
        membership.offer(Topologies.of(
                2,
                Stream.of("n1", "n2", "n3", "n4", "n5")
                        .map(id -> in(id.equals("n2") ? "far" : "near", id))
                        .toList()));
        answersIn(PROMPT, "n1", "n2");
        answersIn(LATE, "n3", "n4", "n5");

        List<String> byNeed = order(Breadth.NEEDED);
        List<String> byPromptness = order(Breadth.PROMPT);

        assertThat(byNeed).startsWith("n1").endsWith("n2");
        assertThat(byPromptness).startsWith("n1", "n2");
        assertThat(byPromptness.subList(2, 5)).isEqualTo(byNeed.subList(1, 4));
    }

    private static Member in(String zone, String id) {
        URI address = URI.create("http://" + id + ":8080");
        return new Member(id, address, address, zone, MemberState.ACTIVE, 1, null);
    }

    private List<String> order(Breadth breadth) {
        return plans.forRead(KEY, AskedQuorums.said(new Quorum(1, 5)), breadth, now).replicas().stream()
                .map(Replica::member)
                .toList();
    }

    @Test
    void thoseThatCannotBeCountedOnAreNotAskedAlong() {
        ObservedReplica silent =
                observed(membership.view().topology().member("n5").orElseThrow());
        for (int i = 0; i < 5; i++) {
            var _ = silent.read(KEY, 1).subscribe();
            origin("n5").fails(Reason.UNREACHABLE);
            origin("n5").again();
        }

        assertThat(asked(Breadth.PROMPT, 2)).containsExactlyInAnyOrder("n1", "n2", "n3", "n4");
    }
}
