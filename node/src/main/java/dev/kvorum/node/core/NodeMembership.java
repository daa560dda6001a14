package dev.kvorum.node.core;

import dev.kvorum.control.Settled;
import dev.kvorum.node.control.LocalMember;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** This node, for those that change the members. */
final class NodeMembership implements LocalMember {
    private static final Duration REPORT_FRESH = Duration.ofMillis(100);
    private static final Duration SIZES_FRESH = Duration.ofSeconds(1);

    private final Transfer transfer;
    private final Mono<MemberReport> report;
    private final Mono<PartitionSizes> sizes;

    /** @param background runs what may block */
    NodeMembership(
            SelfReport self, Membership membership, PartitionStore store, Transfer transfer, Scheduler background) {
        this.transfer = transfer;
        this.report = SharedAnswer.of(() -> Mono.fromCallable(self::now).subscribeOn(background), REPORT_FRESH);
        this.sizes = SharedAnswer.of(() -> measured(membership, store), SIZES_FRESH);
    }

    private static Mono<PartitionSizes> measured(Membership membership, PartitionStore store) {
        return Flux.range(0, membership.view().topology().partitions())
                .concatMap(store::size)
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
    public Mono<MemberReport> report() {
        return report;
    }

    @Override
    public Mono<PartitionSizes> sizes() {
        return sizes;
    }

    @Override
    public Optional<String> settle(Settled settled) {
        return transfer.settle(settled.epoch(), settled.gone());
    }
}
