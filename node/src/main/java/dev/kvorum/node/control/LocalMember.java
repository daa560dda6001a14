package dev.kvorum.node.control;

import dev.kvorum.control.Settled;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** This node, for those who change the members. Any thread; nothing blocks the caller. */
public interface LocalMember {
    /** What the node says of itself. */
    Mono<MemberReport> report();

    /** How much it holds; a {@link java.util.concurrent.RejectedExecutionException} if it has too much to do. */
    Mono<PartitionSizes> sizes();

    /** Lets it pull data; why it does not, or empty. */
    Optional<String> settle(Settled settled);
}
