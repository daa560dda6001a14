package dev.kvorum.load.chaos.client;

import dev.kvorum.history.Request;

/**
 * What a client is about to send.
 *
 * @param saysQuorum whether the request names its quorum; otherwise the node's default is the same
 * @param chance decides through which node, uniformly in all numbers
 */
record Draw(Request request, boolean saysQuorum, int chance) {
    /** The same once more, through another node. A write gets a value of its own: no two writes of a history have the same. */
    Draw again() {
        String value = request.value();
        Request repeated = value == null
                ? request
                : new Request(
                        request.kind(), request.mode(), request.key(), "again" + value, request.ack(), request.from());
        return new Draw(repeated, saysQuorum, chance);
    }
}
