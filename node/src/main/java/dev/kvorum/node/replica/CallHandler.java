package dev.kvorum.node.replica;

import reactor.core.publisher.Mono;

/** Answers the calls of one operation, without blocking. Any thread. */
@FunctionalInterface
public interface CallHandler {
    /**
     * Answers one call.
     *
     * @param body what stands behind the epoch
     * @return exactly one reply, never an error
     * @throws MalformedCallException if the body is not what it should be
     */
    Mono<CallReply> serve(byte[] body, long epoch);
}
