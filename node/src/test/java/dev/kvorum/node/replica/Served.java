package dev.kvorum.node.replica;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** The operations of one feature, called without a port. */
public final class Served implements CallHandlers {
    private final Map<PeerOperation, CallHandler> handlers = new EnumMap<>(PeerOperation.class);

    private Served() {}

    public static Served by(Consumer<CallHandlers> feature) {
        Served served = new Served();
        feature.accept(served);
        return served;
    }

    @Override
    public void on(PeerOperation operation, CallHandler handler) {
        if (handlers.put(operation, handler) != null) {
            throw new IllegalStateException(operation + " has two handlers");
        }
    }

    public Mono<CallReply> call(PeerOperation operation, byte[] body) {
        return call(operation, body, 0);
    }

    public Mono<CallReply> call(PeerOperation operation, byte[] body, long epoch) {
        return Objects.requireNonNull(handlers.get(operation), operation.name()).serve(body, epoch);
    }
}
