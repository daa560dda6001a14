package dev.kvorum.node.http.client;

import io.netty.channel.Channel;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/** Where the clients of one event loop come in: a gate, and the connections that rest because they were refused. On that loop. */
final class Entrance {
    private final Gate gate;
    private final Resting resting;
    private final ClientMetrics metrics;

    Entrance(Gate gate, Resting resting, ClientMetrics metrics) {
        this.gate = gate;
        this.resting = resting;
        this.metrics = metrics;
    }

    /** As {@link Gate#admit}; after a refusal the connection rests. */
    <T> Mono<T> admit(Channel channel, Supplier<Mono<T>> operation) {
        return gate.admit(operation, () -> resting.begin(channel));
    }

    /**
     * Whether an operation of this connection is to be refused before it is looked into: the gate turns everybody away, and the connection has not been refused just now,
     * and takes what it is answered. So what it sends at a time costs one such answer, and what it does not take none.
     */
    boolean turnsAway(Channel channel) {
        return gate.turnsAway() && channel.isWritable() && !resting.has(channel);
    }

    /** That was so, and it was refused. */
    void turnedAway(Channel channel) {
        gate.turnedAway();
        metrics.refused(HttpStatus.SERVICE_UNAVAILABLE);
        resting.begin(channel);
    }

    /** Its body did not arrive in time. */
    void gaveUp() {
        metrics.refused(HttpStatus.REQUEST_TIMEOUT);
    }

    /** What happens at the gate. */
    record Events(Resting resting, ClientMetrics metrics) implements GateListener {
        @Override
        public boolean room(int more) {
            return resting.wake(more);
        }

        @Override
        public void waited(long nanos) {
            metrics.waited(nanos);
        }

        @Override
        public void waitedInVain(long nanos) {
            metrics.waitedInVain(nanos);
        }
    }

    int inFlight() {
        return gate.inFlight();
    }

    int waiting() {
        return gate.waiting();
    }

    int resting() {
        return resting.connections();
    }
}
