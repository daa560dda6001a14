package dev.kvorum.node.boot;

import dev.kvorum.node.http.peer.MemberService;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Disk;
import dev.kvorum.topology.change.MemberReport.Past;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** This node, for whoever changes the members. */
final class NodeMembership implements MemberService {
    private static final Duration REPORT_FRESH = Duration.ofMillis(100);
    private static final Duration SIZES_FRESH = Duration.ofSeconds(1);

    private final Membership membership;
    private final TopologyExchange exchange;
    private final Transfer transfer;
    private final Repair repair;
    private final DataDirectory directory;
    private final RocksCellStore store;
    private final LifeKeeper life;
    private final Mono<byte[]> report;
    private final Mono<byte[]> sizes;

    NodeMembership(
            Membership membership,
            TopologyExchange exchange,
            Transfer transfer,
            Repair repair,
            DataDirectory directory,
            RocksCellStore store,
            LifeKeeper life) {
        this.membership = membership;
        this.exchange = exchange;
        this.transfer = transfer;
        this.repair = repair;
        this.directory = directory;
        this.store = store;
        this.life = life;
        this.report = SharedAnswer.of(this::reported, REPORT_FRESH);
        this.sizes = SharedAnswer.of(this::measured, SIZES_FRESH);
    }

    @Override
    public byte[] topology() {
        return TopologyJson.write(membership.view().topology());
    }

    @Override
    public Mono<byte[]> publish(byte[] topology) {
        return exchange.propose(topology);
    }

    @Override
    public Mono<byte[]> report() {
        return report;
    }

    /** The file system is asked on a thread that may block. */
    private Mono<byte[]> reported() {
        return Mono.fromCallable(() -> MemberReportJson.write(reportNow())).subscribeOn(Schedulers.boundedElastic());
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
    public Mono<byte[]> sizes() {
        return sizes;
    }

    private Mono<byte[]> measured() {
        PartitionStore partitions = store.partitions();
        return Flux.range(0, membership.view().topology().partitions())
                .concatMap(partitions::size)
                .collectList()
                .map(NodeMembership::sizes)
                .onErrorMap(StoreOverloadedException.class, e -> new RejectedExecutionException(e.getMessage(), e));
    }

    private static byte[] sizes(List<PartitionSize> sizes) {
        return MemberReportJson.write(new PartitionSizes(
                sizes.stream().mapToLong(PartitionSize::bytes).toArray(),
                sizes.stream().mapToLong(PartitionSize::cells).toArray()));
    }

    @Override
    public Optional<String> settle(long epoch, Set<String> gone) {
        return transfer.settle(epoch, gone);
    }
}
