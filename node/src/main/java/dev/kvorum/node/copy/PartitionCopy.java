package dev.kvorum.node.copy;

import dev.kvorum.node.verification.VerifiedCall;
import reactor.core.publisher.Mono;

/**
 * One member's copy of the partitions, as another sees it that wants to compare it with its own. Every call takes milliseconds: what is longer comes in
 * pages, and nothing is held from one to the next, so that either side may crash at any time.
 *
 * <p>Any thread may call it; nothing blocks the caller. All fail with {@link CopyUnavailableException} if the copy can't be reached or used now.
 */
public interface PartitionCopy {
    Mono<TreePage> tree(TreeCall call);

    Mono<ListPage> list(ListCall call);

    Mono<CellPage> cells(CellsCall call);

    Mono<CellPage> stream(StreamCall call);

    /** Empty when all are stored. */
    Mono<Void> store(StoreCall call);

    /** Empty when it is noted; what may be dropped is dropped later. */
    Mono<Void> verified(VerifiedCall call);
}
