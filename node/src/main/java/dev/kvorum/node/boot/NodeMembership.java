package dev.kvorum.node.boot;

import dev.kvorum.control.Settled;
import dev.kvorum.node.control.LocalMember;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Past;
import dev.kvorum.topology.change.PartitionSizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** This node, for those who change the members. */
final class NodeMembership implements LocalMember {
    private static final Duration REPORT_FRESH = Duration.ofMillis(100);
    private static final Duration SIZES_FRESH = Duration.ofSeconds(1);

    private final Membership membership;
    private final Transfer transfer;
    private final Repair repair;
    private final DataDirectory directory;
    private final RocksCellStore store;
    private final LifeKeeper life;
    private final Mono<MemberReport> report;
    private final Mono<PartitionSizes> sizes;

    NodeMembership(
            Membership membership,
            Transfer transfer,
            Repair repair,
            DataDirectory directory,
            RocksCellStore store,
            LifeKeeper life) {
        this.membership = membership;
        this.transfer = transfer;
        this.repair = repair;
        this.directory = directory;
        this.store = store;
        this.life = life;
        this.report = SharedAnswer.of(this::reported, REPORT_FRESH);
        this.sizes = SharedAnswer.of(this::measured, SIZES_FRESH);
    }

    @Override
    public Mono<MemberReport> report() {
        return report;
    }

    /** The file system is asked on a thread that may block. */
    private Mono<MemberReport> reported() {
        return Mono.fromCallable(this::reportNow).subscribeOn(Schedulers.boundedElastic());
    }

    private MemberReport reportNow() {
        ClusterView view = membership.view();
        return new MemberReport(
                view.self(),
                view.topology().cluster(),
                view.topology().partitions(),
                directory.incarnation(),
                view.epoch(),
                view.hasSelf(),
                repair.rebuilding(),
                transfer.report(),
                transfer.former(),
                disk(),
                new Past(life.awayMillis(), life.graceMillis()));
    }

    private Disk disk() {
        try {
            return new Disk(Files.getFileStore(directory.path()).getUsableSpace(), store.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Mono<PartitionSizes> sizes() {
        return sizes;
    }

    private Mono<PartitionSizes> measured() {
        PartitionStore partitions = store.partitions();
        return Flux.range(0, membership.view().topology().partitions())
                .concatMap(partitions::size)
                .collectList()
                .map(NodeMembership::sizes)
                .onErrorMap(StoreOverloadedException.class, e -> new RejectedExecutionException(e.getMessage(), e));
    }

    private static PartitionSizes sizes(List<PartitionSize> sizes) {
        return new PartitionSizes(
                sizes.stream().mapToLong(PartitionSize::bytes).toArray(),
                sizes.stream().mapToLong(PartitionSize::cells).toArray());
    }

    @Override
    public Optional<String> settle(Settled settled) {
        return transfer.settle(settled.epoch(), settled.gone());
    }
}
