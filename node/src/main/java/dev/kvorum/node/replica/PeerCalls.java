package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
import reactor.core.publisher.Mono;

/** Calls to other members that are neither reads nor writes of one cell. Any thread may call it; nothing blocks the caller. */
@FunctionalInterface
public interface PeerCalls {
    /**
     * Makes a call, which is answered by exactly one reply; what goes wrong is a reply as well, never an error signal.
     *
     * @param path one of {@link PeerProtocol#OPERATIONS}
     * @param body not copied: must not be changed
     */
    Mono<CallReply> call(Member member, String path, byte[] body);
}
