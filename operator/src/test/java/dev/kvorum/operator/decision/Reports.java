package dev.kvorum.operator.decision;

import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Identity;
import dev.kvorum.topology.change.MemberReport.Standing;
import dev.kvorum.topology.change.MemberReport.Transfer;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/** Reports that differ in one thing. */
final class Reports {
    private Reports() {}

    static MemberReport at(MemberReport report, long epoch) {
        return with(new Standing(epoch, "", report.named(), report.rebuilding()), report);
    }

    /** Goes by other contents of the same epoch. */
    static MemberReport contradicting(MemberReport report) {
        return with(new Standing(report.epoch(), "0123456789abcdef", report.named(), report.rebuilding()), report);
    }

    static MemberReport rebuilding(MemberReport report, int partitions) {
        return with(new Standing(report.epoch(), "", report.named(), partitions), report);
    }

    private static MemberReport with(Standing standing, MemberReport report) {
        return new MemberReport(
                report.identity(), standing, report.transfer(), report.former(), report.disk(), report.past());
    }

    static MemberReport verified(MemberReport report, int verified, int partitions) {
        return failing(report, verified, partitions, "");
    }

    /** @param failure of its transfer, in words; empty for none */
    static MemberReport failing(MemberReport report, int verified, int partitions, String failure) {
        return with(new Transfer(Set.of(), partitions, verified, 0, 100, 0, 10, failure), report);
    }

    /** Has nothing yet of what it gains, and was told of these. */
    static MemberReport waiting(MemberReport report, Collection<String> without) {
        return with(new Transfer(Set.copyOf(without), report.transfer().partitions(), 0, 0, 100, 0, 10, ""), report);
    }

    static MemberReport unsettled(MemberReport report) {
        return with(new Transfer(null, 10, 0, 0, 0, 0, 10, ""), report);
    }

    private static MemberReport with(Transfer transfer, MemberReport report) {
        return new MemberReport(
                report.identity(), report.standing(), transfer, report.former(), report.disk(), report.past());
    }

    static MemberReport withFree(MemberReport report, long free) {
        return with(new Disk(free, report.disk().used()), report);
    }

    static MemberReport withUsed(MemberReport report, long used) {
        return with(new Disk(report.disk().free(), used), report);
    }

    private static MemberReport with(Disk disk, MemberReport report) {
        return new MemberReport(
                report.identity(), report.standing(), report.transfer(), report.former(), disk, report.past());
    }

    static MemberReport of(MemberReport report, String cluster) {
        return with(new Identity(report.member(), cluster, report.partitions(), report.incarnation()), report);
    }

    /** Has another disk. */
    static MemberReport renewed(MemberReport report, UUID incarnation) {
        return with(new Identity(report.member(), report.cluster(), report.partitions(), incarnation), report);
    }

    private static MemberReport with(Identity identity, MemberReport report) {
        return new MemberReport(
                identity, report.standing(), report.transfer(), report.former(), report.disk(), report.past());
    }

    static MemberReport away(MemberReport report, MemberReport.Past past) {
        return new MemberReport(
                report.identity(), report.standing(), report.transfer(), report.former(), report.disk(), past);
    }

    /** The same, of a node that uses so many bytes. */
    static MemberReport using(MemberReport report, long used) {
        return new MemberReport(
                report.identity(),
                report.standing(),
                report.transfer(),
                report.former(),
                new MemberReport.Disk(report.disk().free(), used),
                report.past());
    }
}
