package dev.kvorum.topology.change;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Former;
import dev.kvorum.topology.change.MemberReport.Identity;
import dev.kvorum.topology.change.MemberReport.Standing;
import dev.kvorum.topology.change.MemberReport.Transfer;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Made-up members and what they report. */
final class ChangingCluster {
    static final int PARTITIONS = 64;
    static final long DISK_FREE = 1L << 30;

    private ChangingCluster() {}

    static Member member(String id) {
        return new Member(
                id,
                URI.create("http://" + id + ":8080"),
                URI.create("http://" + id + ":9090"),
                "z",
                MemberState.ACTIVE,
                1,
                null);
    }

    static Topology of(String... ids) {
        return new Topology(
                "demo",
                7,
                3,
                PARTITIONS,
                Arrays.stream(ids).map(ChangingCluster::member).toList());
    }

    static ChangeRequest add(String... ids) {
        return new ChangeRequest(Arrays.stream(ids).map(ChangingCluster::member).toList(), Set.of(), Set.of());
    }

    static ChangeRequest remove(String... ids) {
        return new ChangeRequest(List.of(), Set.of(ids), Set.of());
    }

    static UUID incarnation(String id) {
        return new UUID(1, id.hashCode());
    }

    static MemberReport report(String id, long epoch, Transfer transfer) {
        return new MemberReport(
                new Identity(id, "demo", PARTITIONS, incarnation(id)),
                new Standing(epoch, "", true, 0),
                transfer,
                new Former(0, 0, ""),
                new Disk(DISK_FREE, 0));
    }

    static MemberReport report(String id, long epoch) {
        return report(id, epoch, Transfer.none(100));
    }

    static MemberReport rebuilding(String id, long epoch) {
        return rebuilding(id, epoch, Transfer.none(100));
    }

    static MemberReport rebuilding(String id, long epoch, Transfer transfer) {
        MemberReport told = report(id, epoch, transfer);
        return new MemberReport(
                told.identity(), new Standing(epoch, "", true, 5), told.transfer(), told.former(), told.disk());
    }

    /** All members of a topology go by it, and are that far. */
    static Map<String, MemberReport> all(Topology topology, boolean settled, int verified, int partitions) {
        Map<String, MemberReport> reports = new HashMap<>();
        for (Member member : topology.members()) {
            Transfer transfer = new Transfer(settled ? Set.of() : null, partitions, verified, 0, 0, 0, 100, "");
            reports.put(member.id(), report(member.id(), topology.epoch(), transfer));
        }
        return reports;
    }
}
