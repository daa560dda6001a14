package dev.kvorum.node.frame;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/** What calls are answered by. */
@FunctionalInterface
public interface FrameService {
    /**
     * Answers a call. Cancelled when the caller does not need the reply any more, or the connection ends.
     *
     * @param operation its number in the frame
     * @param body must be read before this returns, and must not be released
     * @return exactly one reply; never an error
     */
    Mono<Reply> serve(int operation, DataBuffer body);

    /** @param body not copied: must not be changed */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares replies.
    record Reply(HttpStatus status, byte[] body) {}
}
