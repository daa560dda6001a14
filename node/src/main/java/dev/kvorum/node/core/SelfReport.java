package dev.kvorum.node.core;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.storage.Store;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Identity;
import dev.kvorum.topology.change.MemberReport.Life;
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
    private final OwnLife own;
    private final Transfer transfer;

    SelfReport(
            Membership membership,
            MemberDirectory directory,
            Store store,
            LifeKeeper life,
            OwnLife own,
            Transfer transfer) {
        this.membership = membership;
        this.directory = directory;
        this.store = store;
        this.life = life;
        this.own = own;
        this.transfer = transfer;
    }

    /** As it is now. Blocks for the file system. */
    MemberReport now() {
        ClusterView view = membership.view();
        Life now = own.now();
        return new MemberReport(
                new Identity(
                        view.self(), view.topology().cluster(), view.topology().partitions(), directory.incarnation()),
                Standing.of(view.topology(), view.self(), rebuilding(now), now),
                transfer.report(),
                transfer.former(),
                disk(),
                new Past(life.awayMillis(), life.graceMillis()));
    }

    private static int rebuilding(Life life) {
        return life.loss() == null ? 0 : life.loss().partitions();
    }

    private Disk disk() {
        try {
            return new Disk(directory.usableBytes(), store.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
