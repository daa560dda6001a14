package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.quorum.AckTally.Verdict;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.quorum.Tally;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is written by one epoch is read by its neighbours, before and after: whatever changes, and whoever answers. */
@Tag("check")
class AdjacentEpochsTest {
    private static final int CHANGES = 150;
    private static final int KEYS = 4;
    private static final int PARTITIONS = 16;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private int met;
    private int raised; // Renewed plans that ask more than before.

    private static Member member(int id, String zone, MemberState state, double weight) {
        URI address = URI.create("http://n" + id + ":1");
        return new Member("n" + id, address, address, zone, state, weight, null);
    }

    private static Member with(Member member, MemberState state) {
        return new Member(
                member.id(), member.api(), member.peer(), member.zone(), state, member.weight(), member.incarnation());
    }

    private Topology drawn() {
        int size = 1 + random.nextInt(9);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(drawnMember(i, MemberState.ACTIVE));
        }
        return new Topology("demo", 1, 1 + random.nextInt(4), PARTITIONS, members);
    }

    private Member drawnMember(int id, MemberState state) {
        return member(id, "zone-" + random.nextInt(4), state, 0.5 + random.nextDouble());
    }

    private static Topology next(Topology present, List<Member> members, Reads reads) {
        return new Topology(
                present.cluster(),
                present.epoch() + 1,
                present.replicationFactor(),
                present.partitions(),
                members,
                reads);
    }

    /** Some join, some leave, at least one stays. */
    private Topology begun(Topology present) {
        List<Member> members = new ArrayList<>();
        for (Member member : present.members()) {
            boolean leaves = !members.isEmpty() && random.nextInt(3) == 0;
            members.add(leaves ? with(member, MemberState.LEAVING) : member);
        }
        int joining = random.nextInt(4);
        for (int i = 0; i < joining; i++) {
            members.add(drawnMember(100 + i, MemberState.JOINING));
        }
        return next(present, members, Reads.CURRENT);
    }

    private static Topology ended(Topology present, List<Member> owners) {
        return next(
                present,
                owners.stream().map(owner -> with(owner, MemberState.ACTIVE)).toList(),
                Reads.CURRENT);
    }

    @Test
    void quorumsOfNeighboursMeet() {
        for (int change = 0; change < CHANGES; change++) {
            Topology before = drawn();
            Topology begun = begun(before);
            if (!begun.isChanging()) {
                continue;
            }
            Topology switched = next(begun, begun.members(), Reads.NEXT);
            step(before, begun);
            step(begun, switched);
            Topology back = next(switched, begun.members(), Reads.BACK);
            step(switched, back);
            step(back, next(back, begun.members(), Reads.NEXT));
            step(back, ended(back, back.currentOwners()));
            step(begun, ended(begun, begun.currentOwners()));
            step(switched, ended(switched, switched.nextOwners()));
        }

        assertThat(met).as("quorums that were looked at").isGreaterThan(CHANGES);
        assertThat(raised).as("defaults that became more").isPositive();
    }

    /** The step that the states alone would suggest. That it is none is why reads switch in an epoch of their own. */
    @Test
    void changeIsNotFinishedBeforeReadsHaveSwitched() {
        List<Member> members = List.of(
                member(1, "a", MemberState.ACTIVE, 1),
                member(2, "b", MemberState.ACTIVE, 1),
                member(3, "c", MemberState.LEAVING, 1),
                member(4, "c", MemberState.JOINING, 1));
        Topology changing = new Topology("demo", 2, 3, PARTITIONS, members);
        Topology finished = ended(changing, changing.nextOwners());

        assertThat(Succession.refusal(changing, finished)).isPresent();
        assertThat(misses(plans(finished), plans(changing), Key.of("cart-7"), 2, 2, 3))
                .isNotEmpty();
    }

    /** Those who join may be cut off from the others, but not from clients and each other. That they could is why they are waited for. */
    @Test
    void changeIsNotCancelledWhileThoseWhoJoinMayStillReadByTheSwitch() {
        List<Member> members = List.of(
                member(1, "a", MemberState.ACTIVE, 1),
                member(2, "b", MemberState.LEAVING, 1),
                member(3, "c", MemberState.LEAVING, 1),
                member(4, "b", MemberState.JOINING, 1),
                member(5, "c", MemberState.JOINING, 1));
        Topology switched = new Topology("demo", 3, 3, PARTITIONS, members, Reads.NEXT);
        Topology back = next(switched, members, Reads.BACK);
        Topology cancelled = ended(back, back.currentOwners());

        assertThat(misses(plans(cancelled), plans(switched), Key.of("cart-7"), 2, 2, 3))
                .as("writes to the former members that those who join do not know of")
                .isNotEmpty();
        assertThat(misses(plans(cancelled), plans(back), Key.of("cart-7"), 2, 2, 3))
                .isEmpty();
        assertThat(misses(plans(back), plans(switched), Key.of("cart-7"), 2, 2, 3))
                .isEmpty();
    }

    private void step(Topology one, Topology other) {
        assertThat(Succession.refusal(one, other))
                .as("seed %s: %s -> %s", seed, one, other)
                .isEmpty();
        meets(one, other);
        meets(other, one);
        for (int i = 0; i < KEYS; i++) {
            Key key = Key.of("key-" + random.nextInt());
            int factor = one.replicationFactor();
            renewedMeets(one, other, key, AskedQuorums.unsaid(0), AskedQuorums.unsaid(0));
            renewedMeets(one, other, key, AskedQuorums.unsaid(factor), AskedQuorums.unsaid(1));
            renewedMeets(one, other, key, AskedQuorums.unsaid(1), AskedQuorums.unsaid(factor));
        }
    }

    /** What was planned by one epoch and went on by the next. */
    private void renewedMeets(Topology one, Topology other, Key key, AskedQuorum writes, AskedQuorum reads) {
        ReplicaPlan formerWrite = plans(one).forWrite(key, writes);
        ReplicaPlan formerRead = plans(one).forRead(key, reads, Breadth.ALL, 0);
        ReplicaPlan write = Objects.requireNonNull(plans(other).renewForWrite(key, formerWrite));
        ReplicaPlan read = Objects.requireNonNull(plans(other).renewForRead(key, formerRead, Breadth.ALL, 0));
        raised += write.quorum().from() > formerWrite.quorum().from() ? 1 : 0;

        meets(one, other, write, read);
        meets(one, other, write, formerRead);
        meets(one, other, formerWrite, read);
    }

    private void meets(Topology writing, Topology reading) {
        int most = Math.min(writing.readOwners().size(), reading.readOwners().size());
        for (int i = 0; i < KEYS; i++) {
            Key key = Key.of("key-" + random.nextInt());
            int factor = writing.replicationFactor();
            meets(writing, reading, key, AskedQuorums.unsaid(0), AskedQuorums.unsaid(0));
            meets(writing, reading, key, AskedQuorums.unsaid(factor), AskedQuorums.unsaid(1));
            meets(writing, reading, key, AskedQuorums.unsaid(1), AskedQuorums.unsaid(factor));
            int from = 1 + random.nextInt(Math.min(most, 4));
            int ack = 1 + random.nextInt(from);
            meets(
                    writing,
                    reading,
                    key,
                    AskedQuorums.said(new Quorum(ack, from)),
                    AskedQuorums.said(new Quorum(from - ack + 1, from)));
        }
    }

    private void meets(Topology writing, Topology reading, Key key, AskedQuorum write, AskedQuorum read) {
        meets(
                writing,
                reading,
                plans(writing).forWrite(key, write),
                plans(reading).forRead(key, read, Breadth.ALL, 0));
    }

    private void meets(Topology one, Topology other, ReplicaPlan write, ReplicaPlan read) {
        assertThat(misses(write, read))
                .as("seed %s: %s is not met by %s, %s, %s", seed, write.quorum(), read.quorum(), one, other)
                .isEmpty();
        met++;
    }

    private static ReplicaPlans plans(Topology topology) {
        return new ReplicaPlans(
                new Membership(topology.members().getFirst().id(), topology),
                member -> ObservedReplicas.on(member, () -> 0),
                new ReadOrder(Placement.NEAR, ManualCluster.HEDGE_DELAY, bound -> 0),
                ManualCluster.HEDGE_DELAY);
    }

    private static List<Set<String>> misses(
            ReplicaPlans writing, ReplicaPlans reading, Key key, int writeAck, int readAck, int from) {
        return misses(
                writing.forWrite(key, AskedQuorums.said(new Quorum(writeAck, from))),
                reading.forRead(key, AskedQuorums.said(new Quorum(readAck, from)), Breadth.ALL, 0));
    }

    /** The sets of replicas that are enough for the write and leave enough others for the read. */
    private static List<Set<String>> misses(ReplicaPlan write, ReplicaPlan read) {
        List<String> asked = ids(read);
        List<String> written = ids(write);
        List<Set<String>> misses = new ArrayList<>();
        for (int chosen = 0; chosen < 1 << written.size(); chosen++) {
            Tally tally = write.tally();
            int unmet = asked.size();
            for (int i = 0; i < written.size(); i++) {
                if ((chosen & 1 << i) != 0) {
                    tally.success(written.get(i));
                    unmet -= asked.contains(written.get(i)) ? 1 : 0;
                }
            }
            if (tally.verdict() == Verdict.REACHED && unmet >= read.quorum().ack()) {
                misses.add(asked.stream().collect(Collectors.toSet()));
            }
        }
        return misses;
    }

    private static List<String> ids(ReplicaPlan plan) {
        return plan.replicas().stream().map(ObservedReplica::member).toList();
    }
}
