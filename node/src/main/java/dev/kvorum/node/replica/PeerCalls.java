package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
import reactor.core.publisher.Mono;

/** Calls to other members that are neither reads nor writes of one cell. Any thread may call it; nothing blocks the caller. */
@FunctionalInterface
public interface PeerCalls {
    /**
     * Makes a call, which is answered by exactly one reply; what goes wrong is a reply as well, never an error signal.
     *
     * @param epoch that by which the member was chosen; one that goes by another refuses the call, and both are brought to the newer
     * @param body what stands behind the epoch
     */
    Mono<CallReply> call(Member member, PeerOperation operation, long epoch, byte[] body);
}
