package dev.kvorum.simulation.node;

import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Plans changes of the members by the {@link ChangePlan}, as the driver of the command line and the operator do. One disk is too small now and then: then the plan has to
 * refuse, and is asked again with a larger disk. That takes no time and no chance of others, so it changes nothing of what follows.
 */
final class Planning {
    private static final long LARGE = 1L << 50; // Of a disk, in bytes: room for anything.

    private final Cluster cluster;
    private final Topology present;
    private final ChangeRequest request;
    private final Map<String, MemberReport> reports = new HashMap<>();
    private final Map<String, PartitionSizes> sizes = new HashMap<>();

    Planning(Cluster cluster, ChangeRequest request) {
        this.cluster = cluster;
        this.present = cluster.topology();
        this.request = request;
        cluster.memberNames().stream().map(cluster::machine).forEach(machine -> {
            MemberReport report = machine.report();
            if (report != null) {
                reports.put(machine.name(), withFree(LARGE, report));
                sizes.put(machine.name(), sizesOf(machine));
            }
        });
        request.joining().forEach(member -> reports.put(member.id(), newcomer(member)));
    }

    private PartitionSizes sizesOf(Machine machine) {
        long[] bytes = machine.disk().cellBytes(present.partitions());
        Arrays.setAll(bytes, partition -> bytes[partition] * DiskRoom.UNIT);
        return new PartitionSizes(bytes, new long[bytes.length]);
    }

    /** As it tells of itself when it is started, which it is as soon as the topology names it. */
    private MemberReport newcomer(Member member) {
        return new MemberReport(
                new MemberReport.Identity(
                        member.id(),
                        present.cluster(),
                        present.partitions(),
                        cluster.machine(member.id()).disk().incarnation(member.id())),
                new MemberReport.Standing(present.epoch(), "", false, 0),
                MemberReport.Transfer.none(1),
                new MemberReport.Former(0, 0, ""),
                new MemberReport.Disk(LARGE, 0));
    }

    /** The topology that begins the change. */
    Topology begun() {
        Topology begun = ChangeTopologies.begin(present, request);
        if (!request.leaving().containsAll(request.gone())) {
            return begun; // No plan goes without a member that stays: this one was there to be asked, and has failed
            // since.
        }
        refuseSmallDisk(begun);
        return switch (ChangePlan.of(present, request, reports, sizes)) {
            case ChangePlan.Accepted accepted -> accepted.begin();
            case ChangePlan.Refused refused -> {
                bug("A change is refused which nothing speaks against: " + refused.reason());
                yield begun;
            }
        };
    }

    /** The plan has to refuse a disk without room, and no other. */
    private void refuseSmallDisk(Topology begun) {
        DiskRoom room = new DiskRoom(begun, sizes.values());
        Chance chance = Chance.of(cluster.world().timeline().now()); // Of its own: no other draw depends on it.
        List<Member> gaining = room.gaining().stream()
                .filter(member -> reports.containsKey(member.id()))
                .toList();
        if (gaining.isEmpty()) {
            return;
        }
        Member member = chance.oneOf(gaining);
        long needed = room.needed(member);
        long free = chance.from(0, 2 * needed);
        Map<String, MemberReport> small = new HashMap<>(reports);
        small.computeIfPresent(member.id(), (id, report) -> withFree(free, report));
        boolean isAccepted = ChangePlan.of(present, request, small, sizes) instanceof ChangePlan.Accepted;
        if (isAccepted != (free >= needed)) {
            bug("A change is " + (isAccepted ? "accepted" : "refused") + " though the disk of " + member.id() + " has "
                    + free + " bytes free and needs " + needed);
        }
    }

    private void bug(String words) {
        cluster.world().bugs().add(words);
    }

    private static MemberReport withFree(long free, MemberReport report) {
        return new MemberReport(
                report.identity(),
                report.standing(),
                report.transfer(),
                report.former(),
                new MemberReport.Disk(free, report.disk().used()),
                report.past());
    }
}
