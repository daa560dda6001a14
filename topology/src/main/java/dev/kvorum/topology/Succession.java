package dev.kvorum.topology;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which topology may be published after which, so that a quorum of the one and a quorum of the other have a member in common: only
 * then does it do no harm that some nodes go by the former while others go by the latter.
 *
 * <pre>
 * phase              writes go to       reads ask      what may follow
 * nobody changes     owners             owners         begin: some JOINING, some LEAVING, reads CURRENT
 * reads CURRENT      current and next   current        switch: reads NEXT. Cancel: as before the beginning
 * reads NEXT         current and next   next           finish: as ACTIVE and JOINING. Switch back: reads BACK
 * reads BACK         current and next   current        switch again: reads NEXT. Cancel
 * </pre>
 *
 * {@code BACK} differs from {@code CURRENT} in what it says of the past: some may still read from the next owners, and have to hear of it before a change is cancelled.
 *
 * From {@code reads CURRENT} nothing leads to the end directly: who has finished writes to the next owners alone, and who has not heard
 * of it would read from the current ones alone. Addresses may change with any step, as may what is known of incarnations.
 *
 * <p>This orders neighbours; whoever publishes also has to wait, before each step, until no node goes by an epoch before the present one,
 * and before the switch until the next owners hold everything.
 */
public final class Succession {
    /** What of a member decides about placement. */
    private record Seat(String id, String zone, double weight, MemberState state) {
        static Seat of(Member member) {
            return new Seat(member.id(), member.zone(), member.weight(), member.state());
        }
    }

    private Succession() {}

    /** Why the one topology may not follow the other in the next epoch, in words; empty if it may. */
    public static Optional<String> refusal(Topology present, Topology next) {
        if (next.epoch() != present.epoch() + 1) {
            return Optional.of("its epoch is " + next.epoch() + ", but must be " + (present.epoch() + 1));
        }
        if (!Objects.equals(next.cluster(), present.cluster())
                || next.partitions() != present.partitions()
                || next.replicationFactor() != present.replicationFactor()) {
            return Optional.of("its cluster, partitions or replicationFactor are others: they are fixed");
        }
        return isStep(present, next) ? Optional.empty() : Optional.of(expected(present));
    }

    private static boolean isStep(Topology present, Topology next) {
        List<Seat> seats = seats(next.members());
        if (seats.equals(seats(present.members()))) {
            return mayFollow(
                    present.reads(),
                    next.reads()); // Nobody moves: the reads may switch, or nothing that matters changes.
        }
        if (present.isChanging() == next.isChanging()) {
            return false;
        }
        return present.isChanging()
                ? seats.equals(seats(active(present.readOwners())))
                : next.reads() == Reads.CURRENT
                        && seats(active(next.currentOwners())).equals(seats(present.members()));
    }

    private static boolean mayFollow(Reads present, Reads next) {
        return switch (present) {
            case CURRENT -> next != Reads.BACK;
            case NEXT, BACK -> next != Reads.CURRENT; // That they were switched must not be forgotten.
        };
    }

    private static String expected(Topology present) {
        if (!present.isChanging()) {
            return "its ACTIVE and LEAVING members are not the present ones, of the same zones and weights, with reads CURRENT";
        }
        return present.reads() == Reads.NEXT
                ? "a change is running: it can be finished by making its JOINING members ACTIVE and leaving its LEAVING ones out, or go back"
                        + " to the former owners with reads BACK"
                : "a change is running: it can go on with reads NEXT, or be cancelled by making its LEAVING members ACTIVE and leaving its"
                        + " JOINING ones out";
    }

    private static List<Member> active(List<Member> members) {
        return members.stream().map(Succession::active).toList();
    }

    private static Member active(Member member) {
        URI api = member.api();
        @Nullable UUID incarnation = member.incarnation();
        return new Member(
                member.id(), api, member.peer(), member.zone(), MemberState.ACTIVE, member.weight(), incarnation);
    }

    /** In the order of ids: that of the file has no meaning. */
    private static List<Seat> seats(List<Member> members) {
        return members.stream()
                .map(Seat::of)
                .sorted((one, other) -> one.id().compareTo(other.id()))
                .toList();
    }
}
