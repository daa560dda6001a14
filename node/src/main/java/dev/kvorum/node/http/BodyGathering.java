package dev.kvorum.node.http;

import dev.kvorum.node.deadline.Deadline;
import dev.kvorum.node.deadline.Deadlines;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One body on its way: its pieces, until it is whole, too long, late, without room or no longer wanted. One subscriber instead of the dozen
 * operators that say the same, as each PUT and each call of a peer over HTTP comes by here.
 *
 * <p>Pieces arrive on the connection's event loop; it is late on the thread of the deadlines and cancelled on any. Guarded by its own lock,
 * which is not held while others are called.
 */
final class BodyGathering<B> extends Deadline implements CoreSubscriber<DataBuffer> {
    private final Body body;
    private final ByteBudget.Share share;
    private final Deadlines deadlines;
    private final Function<DataBuffer, B> decode;
    private final B ofNone;
    private final MonoSink<B> sink;
    private final ServerHttpRequest request;
    private final long declared; // Less than 0 if it is not.
    private @Nullable BodyTransfer transfer; // On the event loop alone, as the bytes.
    private @Nullable Subscription source;
    private final List<DataBuffer> pieces = new ArrayList<>(1); // Most bodies are one.
    private long bytes; // On the event loop alone.
    private boolean ended;

    BodyGathering(
            Body body,
            ByteBudget.Share share,
            Function<DataBuffer, B> decode,
            B ofNone,
            MonoSink<B> sink,
            ServerHttpRequest request) {
        this.body = body;
        this.share = share;
        this.deadlines = body.deadlines();
        this.decode = decode;
        this.ofNone = ofNone;
        this.sink = sink;
        this.request = request;
        this.declared = request.getHeaders().getContentLength();
    }

    /** Once. */
    void begin(long timeoutNanos) {
        deadlines.start(this, deadlines.now() + timeoutNanos);
        var _ = sink.onCancel(this::cancelled);
        request.getBody().subscribe(this);
    }

    @Override
    public Context currentContext() {
        return Context.of(sink.contextView());
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        boolean wanted;
        synchronized (this) {
            wanted = !ended;
            source = subscription;
        }
        if (wanted) {
            subscription.request(Long.MAX_VALUE);
        } else {
            subscription.cancel();
        }
    }

    @Override
    public void onNext(DataBuffer piece) {
        int length = piece.readableByteCount();
        bytes += length;
        if (bytes > body.bytesMax()) {
            DataBufferUtils.release(piece);
            end(Body::tooLarge);
        } else if (!(bytes == declared ? share.take(length) : share.take(length, transfer()))) {
            DataBufferUtils.release(piece);
            end(Body::noRoom);
        } else if (!keep(piece)) {
            DataBufferUtils.release(piece); // It has ended meanwhile.
        }
    }

    private BodyTransfer transfer() {
        if (transfer == null) {
            transfer = new BodyTransfer(Held.addressOf(request.getRemoteAddress()), () -> end(Body::slow));
        }
        return transfer;
    }

    private synchronized boolean keep(DataBuffer piece) {
        if (!ended) {
            pieces.add(piece);
        }
        return !ended;
    }

    @Override
    public void onError(Throwable e) {
        List<DataBuffer> left = end();
        if (left == null) {
            Operators.onErrorDropped(e, currentContext());
        } else {
            left.forEach(DataBufferUtils::release);
            sink.error(e);
        }
    }

    @Override
    public void onComplete() {
        List<DataBuffer> whole = end();
        if (whole != null) {
            share.arrived();
            answer(whole);
        }
    }

    private void answer(List<DataBuffer> whole) {
        B decoded;
        try {
            decoded = decode(whole);
        } catch (RuntimeException e) { // A malformed call, most of all.
            sink.error(e);
            return;
        }
        sink.success(decoded);
    }

    private B decode(List<DataBuffer> whole) {
        if (whole.isEmpty()) {
            return ofNone;
        }
        DataBuffer first = whole.getFirst();
        DataBuffer joined = whole.size() == 1 ? first : first.factory().join(whole);
        try {
            return decode.apply(joined);
        } finally {
            DataBufferUtils.release(joined);
        }
    }

    @Override
    protected void expired(long now) {
        end(Body::late);
    }

    private void cancelled() {
        end(null);
    }

    /** Ends it before it is whole, unless it has ended; nobody is told where nobody waits. */
    private void end(@Nullable Function<Body, RefusedRequestException> refusal) {
        List<DataBuffer> left = end();
        if (left == null) {
            return;
        }
        left.forEach(DataBufferUtils::release);
        share.giveBack(); // Before the client is told: another may wait for the room.
        Subscription arriving = source();
        if (arriving != null) {
            arriving.cancel();
        }
        if (refusal != null) {
            sink.error(refusal.apply(body));
        }
    }

    private synchronized @Nullable Subscription source() {
        return source;
    }

    /** What has arrived, for the one who ends it; null for all others. */
    private @Nullable List<DataBuffer> end() {
        List<DataBuffer> arrived;
        synchronized (this) {
            if (ended) {
                return null;
            }
            ended = true;
            arrived = pieces;
        }
        deadlines.stop(this);
        return arrived;
    }
}
