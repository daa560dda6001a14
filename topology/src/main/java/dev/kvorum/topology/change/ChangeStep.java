package dev.kvorum.topology.change;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done next of a running change. Decided from what the members report alone, so it may be decided anew at any time, by anybody.
 *
 * <pre>
 * forwards                                                        back
 *   all go by it            else await                              reads NEXT:    publish reads BACK
 *   reads CURRENT or BACK:                                          reads BACK:    all go by it, else await;
 *     all are told so, and  else settle                                            publish the former members
 *       which are gone
 *     all have what they gain,  else await                          reads CURRENT: publish the former members
 *       gone or not
 *     all disks are known       else publish what is known
 *     publish reads NEXT
 *   reads NEXT:
 *     publish the members after it
 * </pre>
 */
public sealed interface ChangeStep {
    /** Nothing can be done now: ask again. */
    record Await(String what) implements ChangeStep {}

    /** These are to be told that every other member goes by the change, or is gone. Some were told before, when others were gone. */
    record Settle(List<Member> members) implements ChangeStep {}

    /** A topology is to be sent. */
    record Publish(Topology next) implements ChangeStep {}

    /** No change is running. */
    record Over() implements ChangeStep {}

    /**
     * The next step towards the end of the change. Nobody waits for who is gone, unless it has yet to get what it gains, or another member to rebuild, which needs all: whoever
     * does not come back is removed by another change.
     *
     * @param present the newest topology that any of them goes by
     * @param reports of those that could be asked, by id
     * @param gone ids of members whose processes have been ended for good
     * @param alive whether the process of the member of an id runs, or may run: one without a process serves nobody by an older topology, and learns of the present
     *     one when it is back
     */
    static ChangeStep forwards(
            Topology present, Map<String, MemberReport> reports, Set<String> gone, Predicate<String> alive) {
        if (!present.isChanging()) {
            return new Over();
        }
        List<Member> members = living(present.members(), gone);
        Optional<String> missing = missing(present, members, reports, alive);
        if (missing.isPresent()) {
            return new Await(missing.get());
        }
        return present.reads() == Reads.NEXT
                ? new Publish(ChangeTopologies.finished(present))
                : towardsSwitch(present, members, reports, gone);
    }

    /** Why these can't be the members that are gone, in words; empty if they are members. */
    static Optional<String> refusalOfGone(Topology present, Set<String> gone) {
        return gone.stream()
                .filter(id -> present.member(id).isEmpty())
                .sorted()
                .findFirst()
                .map(id -> "\"" + id + "\" is said to be gone, but is no member; the members are "
                        + names(present.members()));
    }

    private static ChangeStep towardsSwitch(
            Topology present, List<Member> members, Map<String, MemberReport> reports, Set<String> gone) {
        List<Member> unsettled = those(
                members,
                reports,
                report -> !report.transfer().isDone()
                        && !gone.equals(report.transfer().without()));
        if (!unsettled.isEmpty()) {
            return new Settle(unsettled);
        }
        List<Member> unverified = members.stream()
                .filter(member -> Optional.ofNullable(reports.get(member.id()))
                        .map(report -> !report.transfer().isDone())
                        .orElse(member.state().ownsNext())) // It has no process now, and may lack what it is to hold.
                .toList();
        // Found again, it would answer reads for what it never pulled, and nobody would know.
        List<Member> owing = present.members().stream()
                .filter(member -> gone.contains(member.id()))
                .filter(member -> !Gain.of(present, member.id()).isEmpty())
                .toList();
        List<Member> rebuilding = those(members, reports, report -> report.rebuilding() > 0);
        if (!unverified.isEmpty()) {
            return new Await("data moves to " + names(unverified));
        }
        if (!owing.isEmpty()) {
            return new Await("data has to move to " + names(owing)
                    + ", which can't be gone: bring it back, or take the change back");
        }
        if (!rebuilding.isEmpty()) {
            return new Await(
                    names(rebuilding)
                            + " rebuilds what it has lost, for which it needs every member; where that does not end, take the change back");
        }
        // One that has another disk than it began with has pulled everything onto that; but once reads ask it, it would
        // take itself for one that has lost what it held.
        Topology replaced = ChangeTopologies.replaced(present, reports);
        return new Publish(replaced.equals(present) ? ChangeTopologies.switched(present) : replaced);
    }

    /** As above, where every member that is not gone may have a process. */
    static ChangeStep forwards(Topology present, Map<String, MemberReport> reports, Set<String> gone) {
        return forwards(present, reports, gone, id -> true);
    }

    /** As below, where every member that is not gone may have a process. */
    static ChangeStep back(Topology present, Map<String, MemberReport> reports, Set<String> gone) {
        return back(present, reports, gone, id -> true);
    }

    /**
     * The next step towards the members before the change.
     *
     * <p>Where reads were never switched, whoever has not heard of it reads and writes as if it were cancelled. But where they were, a member that still goes by that reads from
     * the next owners alone, and those who join would serve it though the former owners already write to nobody else: so all are waited for, those who join as well.
     */
    static ChangeStep back(
            Topology present, Map<String, MemberReport> reports, Set<String> gone, Predicate<String> alive) {
        if (!present.isChanging()) {
            return new Over();
        }
        if (present.reads() == Reads.NEXT) {
            return new Publish(ChangeTopologies.switchedBack(present));
        }
        Optional<String> missing = present.reads() == Reads.BACK
                ? missing(present, living(present.members(), gone), reports, alive)
                : Optional.empty();
        return missing.<ChangeStep>map(Await::new).orElseGet(() -> new Publish(ChangeTopologies.cancelled(present)));
    }

    private static Optional<String> missing(
            Topology present, List<Member> members, Map<String, MemberReport> reports, Predicate<String> alive) {
        List<String> missing = new ArrayList<>();
        for (Member member : members) {
            @Nullable MemberReport report = reports.get(member.id());
            if (!alive.test(member.id())) {
                continue;
            }
            if (report == null) {
                missing.add(member.id() + " can't be asked at " + member.peer());
            } else if (report.epoch() < present.epoch()) {
                missing.add(member.id() + " goes by epoch " + report.epoch() + ", not yet " + present.epoch());
            } else if (report.epoch() > present.epoch()) { // Then this is not the newest, and another may be driving.
                missing.add(member.id() + " goes by epoch " + report.epoch() + ", newer than " + present.epoch());
            } else if (report.contradicts(present)) {
                missing.add(ChangePlan.contradiction(report));
            }
        }
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", missing));
    }

    private static List<Member> living(List<Member> members, Set<String> gone) {
        return members.stream().filter(member -> !gone.contains(member.id())).toList();
    }

    private static List<Member> those(
            List<Member> members, Map<String, MemberReport> reports, Predicate<MemberReport> such) {
        return members.stream()
                .filter(member -> Optional.ofNullable(reports.get(member.id()))
                        .filter(such)
                        .isPresent())
                .toList();
    }

    private static String names(List<Member> members) {
        return String.join(", ", members.stream().map(Member::id).toList());
    }
}
