package dev.kvorum.node.http;

import io.netty.handler.codec.DecoderResult;
import java.time.Duration;

/**
 * How long the head of a request may take to arrive on a port. Immutable.
 *
 * @param late marks a head that takes longer; its answer is rendered once, as a crowd of slow clients is late together
 */
record HeadLimit(Duration max, DecoderResult late) {
    static HeadLimit of(Duration max) {
        return new HeadLimit(max, DecoderResult.failure(new RefusedHeadException(Refusal.lateHead(max))));
    }
}
