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

    /** As {@link Gate#turnsAway}. */
    boolean turnsAway() {
        return gate.turnsAway();
    }

    /** An operation was refused because the gate turns everybody away. */
    void turnedAway(Channel channel) {
        metrics.refused(HttpStatus.SERVICE_UNAVAILABLE);
        metrics.waitedInVain(0);
        resting.begin(channel);
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
