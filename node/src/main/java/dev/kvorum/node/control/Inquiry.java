package dev.kvorum.node.control;

import dev.kvorum.control.Peer;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import reactor.core.publisher.Mono;

/** Asks nodes, whether they are members or not, for one request. Any thread. */
public interface Inquiry extends AutoCloseable {
    /**
     * Makes a call, which is answered by exactly one reply; what goes wrong is a reply as well, never an error signal.
     *
     * @param body what stands behind the epoch
     */
    Mono<CallReply> call(Peer peer, PeerOperation operation, long epoch, byte[] body);

    /** Calls that are under way fail. */
    @Override
    void close();
}
