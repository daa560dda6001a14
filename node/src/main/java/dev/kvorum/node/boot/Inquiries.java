package dev.kvorum.node.boot;

import dev.kvorum.control.Peer;
import dev.kvorum.node.control.Inquiry;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerInquiry;
import dev.kvorum.node.replica.PeerOperation;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/**
 * Begins inquiries among other nodes.
 *
 * @param cluster that they must belong to; null where the topology names none
 */
record Inquiries(
        FrameLimits limits,
        FrameMetrics metrics,
        LoopResources loops,
        @Nullable String cluster) {

    PeerInquiry open() {
        return new PeerInquiry(limits, metrics, loops, cluster);
    }

    /** One on behalf of a command. */
    Inquiry openForCommand() {
        PeerInquiry inquiry = open();
        return new Inquiry() {
            @Override
            public Mono<CallReply> call(Peer peer, PeerOperation operation, long epoch, byte[] body) {
                return inquiry.call(peer.id(), peer.peer(), operation, epoch, body);
            }

            @Override
            public void close() {
                inquiry.close();
            }
        };
    }
}
