package dev.kvorum.operator.decision;

import dev.kvorum.operator.node.NodeReport;
import dev.kvorum.operator.node.NodeReport.Transfer;

/** Reports that differ in one thing. */
final class Reports {
    private Reports() {}

    static NodeReport at(NodeReport report, long epoch) {
        return with(report, epoch, report.rebuilding(), report.transfer());
    }

    static NodeReport rebuilding(NodeReport report, int partitions) {
        return with(report, report.epoch(), partitions, report.transfer());
    }

    static NodeReport verified(NodeReport report, int verified, int partitions) {
        return with(report, report.epoch(), report.rebuilding(), new Transfer(true, partitions, verified, 100, 10, ""));
    }

    static NodeReport unsettled(NodeReport report) {
        return with(report, report.epoch(), report.rebuilding(), new Transfer(false, 10, 0, 0, 10, ""));
    }

    static NodeReport withFree(NodeReport report, long free) {
        NodeReport.Disk disk = new NodeReport.Disk(free, report.disk().used());
        return with(report, report.epoch(), report.rebuilding(), report.transfer(), disk, report.past());
    }

    static NodeReport away(NodeReport report, NodeReport.Past past) {
        return with(report, report.epoch(), report.rebuilding(), report.transfer(), report.disk(), past);
    }

    private static NodeReport with(NodeReport report, long epoch, int rebuilding, Transfer transfer) {
        return with(report, epoch, rebuilding, transfer, report.disk(), report.past());
    }

    private static NodeReport with(
            NodeReport report,
            long epoch,
            int rebuilding,
            Transfer transfer,
            NodeReport.Disk disk,
            NodeReport.Past past) {
        return new NodeReport(
                report.member(),
                report.cluster(),
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
