package dev.kvorum.node.replica;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.topology.Topology;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** For tests in which all members go by the same epoch. */
final class NoExchange {
    private NoExchange() {}

    static TopologyExchange of(Topology topology) {
        return new TopologyExchange(
                new Membership("n1", topology),
                (member, present) -> Mono.error(new AssertionError("nothing is to be exchanged")),
                Schedulers.immediate(),
                () -> 0);
    }
}
