package dev.kvorum.node.repair;

import dev.kvorum.topology.Member;
import reactor.core.publisher.Mono;

/** Brings this node's copy of a partition up to what another member holds. Any thread may call it; nothing blocks the caller. */
@FunctionalInterface
public interface PartitionSync {
    /**
     * Pulls what this node owes of a partition, now or once the running change is final, from another that holds it. Where this node has nothing
     * of it yet, cells are streamed; otherwise trees are compared and only what differs is asked for. So after a crash, or when it was cancelled, it
     * is simply begun again.
     *
     * <p>Fails if the other can't be reached, or refuses: what was pulled by then stays.
     */
    Mono<SyncReport> pull(int partition, Member from);
}
