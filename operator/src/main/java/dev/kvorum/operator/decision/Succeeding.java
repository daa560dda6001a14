package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The topologies that may follow a topology. Each is checked by {@link Succession} before it leaves. */
final class Succeeding {
    private final Topology present;

    Succeeding(Topology present) {
        this.present = present;
    }

    /** A change to these members begins; {@code incarnation} says what is known of each member, or null. */
    Topology begin(List<Member> target, Function<Member, @Nullable UUID> incarnation) {
        List<Member> members = new ArrayList<>();
        for (Member member : present.members()) {
            boolean stays = contains(target, member);
            members.add(in(member, stays ? MemberState.ACTIVE : MemberState.LEAVING, incarnation.apply(member)));
        }
        for (Member member : target) {
            if (!contains(present.members(), member)) {
                members.add(in(member, MemberState.JOINING, incarnation.apply(member)));
            }
        }
        return checked(members, Reads.CURRENT);
    }

    /** Reads go to the next owners. */
    Topology switched() {
        return checked(present.members(), Reads.NEXT);
    }

    /** Reads go back to the present owners. */
    Topology switchedBack() {
        return checked(present.members(), Reads.BACK);
    }

    /** The members are those whom reads ask: finished, or cancelled. */
    Topology settled() {
        return checked(
                present.readOwners().stream()
                        .map(member -> in(member, MemberState.ACTIVE, member.incarnation()))
                        .toList(),
                Reads.CURRENT);
    }

    /** The same, with what is now known of data directories. */
    Topology recording(Function<Member, @Nullable UUID> incarnation) {
        return checked(
                present.members().stream()
                        .map(member -> in(member, member.state(), incarnation.apply(member)))
                        .toList(),
                present.reads());
    }

    private Topology checked(List<Member> members, Reads reads) {
        Topology next = new Topology(
                present.cluster(),
                present.epoch() + 1,
                present.replicationFactor(),
                present.partitions(),
                members,
                reads);
        Optional<String> refusal = Succession.refusal(present, next);
        if (refusal.isPresent()) {
            throw new IllegalStateException(
                    "Epoch " + next.epoch() + " was about to be published, but " + refusal.get());
        }
        return next;
    }

    private static Member in(Member member, MemberState state, @Nullable UUID incarnation) {
        return new Member(member.id(), member.api(), member.peer(), member.zone(), state, member.weight(), incarnation);
    }

    private static boolean contains(List<Member> members, Member member) {
        return members.stream().anyMatch(other -> other.id().equals(member.id()));
    }
}
