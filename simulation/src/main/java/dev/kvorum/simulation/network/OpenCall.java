package dev.kvorum.simulation.network;

import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.CallFailedException.Reason;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.simulation.world.ProcessLife.Later;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.MonoSink;

/** A call from when it is made to its end: a reply, a failure, or that nobody waits for it any more. */
final class OpenCall {
    final long id;
    final String target;
    final long madeAt;
    private final MonoSink<ClientHttpResponse> caller;
    private @Nullable Later timeout;
    private boolean sent;
    private boolean over;

    /**
     * @param id different from that of every other call of the simulation
     * @param madeAt true time
     */
    OpenCall(long id, String target, long madeAt, MonoSink<ClientHttpResponse> caller) {
        this.id = id;
        this.target = target;
        this.madeAt = madeAt;
        this.caller = caller;
    }

    void timesOutBy(Later event) {
        timeout = event;
    }

    void sent() {
        sent = true;
    }

    boolean isSent() {
        return sent;
    }

    boolean isOver() {
        return over;
    }

    /** Once; whether this was the time. */
    boolean end() {
        boolean first = !over;
        over = true;
        if (timeout != null) {
            timeout.cancel();
        }
        return first;
    }

    void reply(Reply reply) {
        if (end()) {
            caller.success(new LineResponse(reply));
        }
    }

    void fail(Reason reason, String detail) {
        if (end()) {
            caller.error(new CallFailedException(reason, detail));
        }
    }
}
