package dev.kvorum.node.frame;

import dev.kvorum.node.frame.FrameService.Reply;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.BaseSubscriber;

/** One call that is being served. */
final class ServedCall extends BaseSubscriber<Reply> {
    private static final Logger LOG = LoggerFactory.getLogger(ServedCall.class);

    private final ServingConnection connection;
    private final int id;
    private final int bytes;
    private final long waitEnd;

    /**
     * @param bytes how much of the allowance it has taken
     * @param waitMillis how long the caller waits, from now on
     */
    ServedCall(ServingConnection connection, int id, int bytes, int waitMillis) {
        this.connection = connection;
        this.id = id;
        this.bytes = bytes;
        this.waitEnd = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    }

    int id() {
        return id;
    }

    int bytes() {
        return bytes;
    }

    /** Whether the caller has given up. */
    boolean isLate(long nanos) {
        return nanos - waitEnd > 0;
    }

    @Override
    protected void hookOnNext(Reply answer) {
        connection.reply(this, answer);
    }

    @Override
    protected void hookOnError(Throwable e) {
        LOG.error("A peer's call ended in an error that nobody expected", e);
        connection.reply(this, new Reply(HttpStatus.INTERNAL_SERVER_ERROR, Message.NOTHING));
    }
}
