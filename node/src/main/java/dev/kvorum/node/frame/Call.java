package dev.kvorum.node.frame;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.MonoSink;

/**
 * One call, from when it is made to its reply. Whoever takes it out of the {@link CallRing} ends it: so it ends once.
 *
 * <p>Cancelled before it was sent, it is not sent. Cancelled later it keeps its place until the peer is told, or its reply
 * comes first: then there is nothing to tell.
 */
final class Call extends Message {
    private final MonoSink<ClientHttpResponse> sink;
    private final long waitEnd;
    private volatile boolean over;
    private volatile @Nullable CallingConnection connection;

    /** @param waitMillis how long the caller waits, from now on */
    Call(int operation, int waitMillis, byte[] body, MonoSink<ClientHttpResponse> sink) {
        super(FrameType.CALL, operation, 0, waitMillis, body);
        this.sink = sink;
        this.waitEnd = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        var _ = sink.onCancel(this::cancel); // Registered once: a second one would be run at once.
    }

    /** The connection that it goes over, told before it is sent. */
    void placedOn(CallingConnection calling) {
        connection = calling;
        if (over) {
            calling.cancelled(this);
        }
    }

    private void cancel() {
        over = true;
        CallingConnection calling = connection;
        if (calling != null) {
            calling.cancelled(this);
        }
    }

    boolean isLate(long nanos) {
        return nanos - waitEnd > 0;
    }

    /** Whether nobody waits for the reply any more. */
    boolean isOver() {
        return over;
    }

    @Override
    boolean proceeds() {
        return !over;
    }

    void reply(FrameResponse response) {
        sink.success(response);
    }

    void fail(CallFailedException reason) {
        over = true;
        sink.error(reason);
    }
}
