package dev.kvorum.node.frame;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
    private static final long NEARLY_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1) - 1;

    private final MonoSink<ClientHttpResponse> sink;
    private final LongSupplier nanoTime;
    private final long waitNanos;
    private final long waitEnd;
    private volatile boolean over;
    private volatile @Nullable CallingConnection connection;

    /** @param waitNanos how long the caller waits, from now on */
    Call(int operation, long waitNanos, byte[] body, LongSupplier nanoTime, MonoSink<ClientHttpResponse> sink) {
        super(FrameType.CALL, operation, 0, 0, body);
        this.sink = sink;
        this.nanoTime = nanoTime;
        this.waitNanos = waitNanos;
        this.waitEnd = nanoTime.getAsLong() + waitNanos;
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

    /** What is left of the wait when a frame is written, in milliseconds, rounded up: it may have waited for a connection, or behind others. */
    @Override
    int head() {
        long left = waitEnd - nanoTime.getAsLong();
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left + NEARLY_A_MILLI));
    }

    long waitMillis() {
        return TimeUnit.NANOSECONDS.toMillis(waitNanos);
    }

    boolean isLate(long nanos) {
        return nanos - waitEnd > 0;
    }

    /** The same, now. */
    boolean isLate() {
        return isLate(nanoTime.getAsLong());
    }

    /** Whether nobody waits for the reply any more. */
    boolean isOver() {
        return over;
    }

    @Override
    boolean proceeds() {
        return !over;
    }

    /** Nobody waits for its reply any more, though it is told only later. No more of it is sent. */
    void abandon() {
        over = true;
    }

    /** No more of it is sent: it may be answered before its body is whole. */
    void reply(FrameResponse response) {
        over = true;
        sink.success(response);
    }

    void fail(CallFailedException reason) {
        over = true;
        sink.error(reason);
    }
}
