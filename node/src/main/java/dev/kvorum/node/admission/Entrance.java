package dev.kvorum.node.admission;

import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.RefusedRequestException;
import io.netty.channel.Channel;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Mono;

/** Where the clients of one event loop come in: a gate, and the connections that rest because they were refused. On that loop. */
public final class Entrance {
    private final Gate gate;
    private final MemoryLimit limit;
    private final Resting resting;
    private final AdmissionMetrics metrics;

    Entrance(Gate gate, MemoryLimit limit, Resting resting, AdmissionMetrics metrics) {
        this.gate = gate;
        this.limit = limit;
        this.resting = resting;
        this.metrics = metrics;
    }

    /**
     * Carries out an operation now or when its turn comes; fails with {@link RefusedRequestException} if that takes too long. After a refusal the connection is {@linkplain Resting left alone} for a while.
     *
     * @param operation counts as under way until what it returns ends or is cancelled
     */
    public <T> Mono<T> admit(ServerHttpRequest request, Supplier<Mono<T>> operation) {
        Channel channel = AnswerGuard.channelOf(request);
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

    /** An operation that was let in has succeeded, and held so many bytes of answers at most. Any thread. */
    public void held(long bytes) {
        limit.note(bytes);
    }

    /** Its body did not arrive in time. */
    void gaveUp() {
        metrics.refused(HttpStatus.REQUEST_TIMEOUT);
    }

    /** What happens at the gate. */
    record Events(Resting resting, AdmissionMetrics metrics) implements GateListener {
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

    /** How many there may be now, on a loop that is not busy all the time. Any thread. */
    int inFlightMax() {
        return limit.getAsInt();
    }

    int waiting() {
        return gate.waiting();
    }

    int resting() {
        return resting.connections();
    }
}
