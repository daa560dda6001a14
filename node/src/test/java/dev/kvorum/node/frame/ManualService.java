package dev.kvorum.node.frame;

import static reactor.core.publisher.Sinks.EmitFailureHandler.FAIL_FAST;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A service that answers when the test says so, and records what it was asked. */
final class ManualService implements FrameService {
    final List<String> asked = new ArrayList<>();
    private final List<Sinks.One<Reply>> replies = new ArrayList<>();
    private int cancelled;

    @Override
    public Mono<Reply> serve(int operation, DataBuffer body) {
        asked.add(operation + " " + body.toString(StandardCharsets.UTF_8));
        Sinks.One<Reply> reply = Sinks.one();
        replies.add(reply);
        return reply.asMono().doOnCancel(() -> cancelled++);
    }

    /** Answers the call of that index, in the order in which they came. */
    void answer(int index, HttpStatus status, byte[] body) {
        replies.get(index).emitValue(new Reply(status, body), FAIL_FAST);
    }

    void answer(int index, String body) {
        answer(index, HttpStatus.OK, body.getBytes(StandardCharsets.UTF_8));
    }

    int cancelled() {
        return cancelled;
    }
}
