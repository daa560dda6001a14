package dev.kvorum.node.core;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.storage.Store;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Identity;
import dev.kvorum.topology.change.MemberReport.Past;
import dev.kvorum.topology.change.MemberReport.Standing;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What this node says of itself. */
final class SelfReport {
    private final Membership membership;
    private final MemberDirectory directory;
    private final Store store;
    private final LifeKeeper life;
    private final Repair repair;
    private final Transfer transfer;

    SelfReport(
            Membership membership,
            MemberDirectory directory,
            Store store,
            LifeKeeper life,
            Repair repair,
            Transfer transfer) {
        this.membership = membership;
        this.directory = directory;
        this.store = store;
        this.life = life;
        this.repair = repair;
        this.transfer = transfer;
    }

    /** As it is now. Blocks for the file system. */
    MemberReport now() {
        ClusterView view = membership.view();
        return new MemberReport(
                new Identity(
                        view.self(), view.topology().cluster(), view.topology().partitions(), directory.incarnation()),
                Standing.of(view.topology(), view.self(), repair.rebuilding()),
                transfer.report(),
                transfer.former(),
                disk(),
                new Past(life.awayMillis(), life.graceMillis()));
    }

    private Disk disk() {
        try {
            return new Disk(directory.usableBytes(), store.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
