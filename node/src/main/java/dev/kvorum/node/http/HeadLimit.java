package dev.kvorum.node.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.DecoderResult;
import java.time.Duration;
import org.springframework.http.HttpStatus;

/**
 * How long the head of a request may take to arrive on a port. Its answer is rendered once, as a crowd of slow clients is late together. Immutable.
 *
 * @param late marks a later head of a connection, whose answer takes its turn
 * @param rendered the answer to the first head of a connection
 */
record HeadLimit(Duration max, DecoderResult late, ByteBuf rendered) {
    static final HttpStatus STATUS = HttpStatus.REQUEST_TIMEOUT;

    static HeadLimit of(Duration max) {
        Refusal refusal = Refusal.lateHead(max);
        return new HeadLimit(max, DecoderResult.failure(new RefusedHeadException(refusal)), refusal.rendered());
    }

    /** The whole answer to the first head of a connection, to be sent once. The connection closes after it. */
    ByteBuf answer() {
        return rendered.duplicate(); // With a reader index of its own.
    }
}
