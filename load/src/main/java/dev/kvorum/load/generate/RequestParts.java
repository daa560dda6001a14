package dev.kvorum.load.generate;

import io.hyperfoil.api.config.Visitor.Ignore;
import io.hyperfoil.api.connection.Connection;
import io.hyperfoil.api.session.Action;
import io.hyperfoil.api.session.Session;
import io.hyperfoil.function.SerializableBiFunction;
import io.hyperfoil.function.SerializableFunction;
import io.hyperfoil.http.api.HttpMethod;
import io.hyperfoil.http.api.HttpRequest;
import io.hyperfoil.http.api.StatusHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What Hyperfoil asks for when it sends a session's request, and tells when it was answered. Event loop only. */
final class RequestParts {
    private RequestParts() {}

    /** The method of the session's request. */
    static final class Method implements SerializableFunction<Session, HttpMethod> {
        @Override
        public HttpMethod apply(Session session) {
            return switch (Pending.of(session).operation) {
                case GET -> HttpMethod.GET;
                case PUT -> HttpMethod.PUT;
                case DELETE -> HttpMethod.DELETE;
            };
        }
    }

    /** Path and query. */
    static final class Path implements SerializableFunction<Session, String> {
        @Ignore
        private final Traffic traffic;

        Path(Traffic traffic) {
            this.traffic = traffic;
        }

        @Override
        public String apply(Session session) {
            return traffic.path(Pending.of(session).key);
        }
    }

    /** The node that is asked: each in turn. Hyperfoil also calls it without a session, to see what comes out. */
    static final class Authority implements SerializableFunction<Session, String> {
        @Ignore
        private final List<String> authorities;

        private int next;

        Authority(List<String> authorities) {
            this.authorities = List.copyOf(authorities);
        }

        @Override
        public String apply(@Nullable Session session) {
            String authority = authorities.get(next);
            next = (next + 1) % authorities.size();
            return authority;
        }
    }

    /** Random bytes for a PUT: cut from a larger store of them, so that no two values compress into one. */
    static final class Body implements SerializableBiFunction<Session, Connection, @Nullable ByteBuf> {
        @Ignore
        private final ByteBuf noise;

        @Ignore
        private final SplittableRandom random = new SplittableRandom(11);

        @Ignore
        private final ValueSizes values;

        Body(ValueSizes values) {
            this.values = values;
            byte[] bytes = new byte[Math.max(1 << 20, 4 * values.largest())];
            random.nextBytes(bytes);
            this.noise = Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer(bytes.length).writeBytes(bytes));
        }

        @Override
        public @Nullable ByteBuf apply(Session session, Connection connection) {
            Pending pending = Pending.of(session);
            if (pending.operation != Operation.PUT) {
                return null;
            }
            int size = values.bytes(pending.key);
            return noise.slice(random.nextInt(noise.capacity() - size), size);
        }
    }

    /** Notes the status. */
    static final class Status implements StatusHandler {
        @Override
        public void handleStatus(HttpRequest request, int status) {
            Pending.of(request.session).status = status;
        }
    }

    /** Books the request, whether it was answered or lost. */
    static final class Completion implements Action {
        @Ignore
        private final Ledger ledger;

        Completion(Ledger ledger) {
            this.ledger = ledger;
        }

        @Override
        public void run(Session session) {
            ledger.ended(Pending.of(session), System.nanoTime());
        }
    }
}
