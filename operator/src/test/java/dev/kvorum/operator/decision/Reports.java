package dev.kvorum.operator.decision;

import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Transfer;

/** Reports that differ in one thing. */
final class Reports {
    private Reports() {}

    static MemberReport at(MemberReport report, long epoch) {
        return with(report, epoch, report.rebuilding(), report.transfer());
    }

    static MemberReport rebuilding(MemberReport report, int partitions) {
        return with(report, report.epoch(), partitions, report.transfer());
    }

    static MemberReport verified(MemberReport report, int verified, int partitions) {
        return with(
                report,
                report.epoch(),
                report.rebuilding(),
                new Transfer(true, partitions, verified, 0, 100, 0, 10, ""));
    }

    static MemberReport unsettled(MemberReport report) {
        return with(report, report.epoch(), report.rebuilding(), new Transfer(false, 10, 0, 0, 0, 0, 10, ""));
    }

    static MemberReport withFree(MemberReport report, long free) {
        MemberReport.Disk disk = new MemberReport.Disk(free, report.disk().used());
        return with(report, report.epoch(), report.rebuilding(), report.transfer(), disk, report.past());
    }

    static MemberReport withUsed(MemberReport report, long used) {
        MemberReport.Disk disk = new MemberReport.Disk(report.disk().free(), used);
        return with(report, report.epoch(), report.rebuilding(), report.transfer(), disk, report.past());
    }

    static MemberReport of(MemberReport report, String cluster) {
        return new MemberReport(
                report.member(),
                cluster,
                report.partitions(),
                report.incarnation(),
                report.epoch(),
                report.named(),
                report.rebuilding(),
                report.transfer(),
                report.former(),
                report.disk(),
                report.past());
    }

    static MemberReport away(MemberReport report, MemberReport.Past past) {
        return with(report, report.epoch(), report.rebuilding(), report.transfer(), report.disk(), past);
    }

    private static MemberReport with(MemberReport report, long epoch, int rebuilding, Transfer transfer) {
        return with(report, epoch, rebuilding, transfer, report.disk(), report.past());
    }

    private static MemberReport with(
            MemberReport report,
            long epoch,
            int rebuilding,
            Transfer transfer,
            MemberReport.Disk disk,
            MemberReport.Past past) {
        return new MemberReport(
                report.member(),
                report.cluster(),
                report.partitions(),
                report.incarnation(),
                epoch,
                report.named(),
                rebuilding,
                transfer,
                report.former(),
                disk,
                past);
    }
}
