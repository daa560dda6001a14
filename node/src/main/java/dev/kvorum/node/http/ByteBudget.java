package dev.kvorum.node.http;

import dev.kvorum.node.coordinator.Room;
import dev.kvorum.node.frame.Allowance;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.http.HttpStatus;

/**
 * Bounds the bytes of bodies that have arrived, are served, are held by undecided reads or are on their way out, over all connections of a
 * port. Any thread; nothing waits.
 */
public final class ByteBudget implements Allowance, Room {
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    /** One for all whose body is not all there, as its text is made only once; it has no stack trace. */
    private final RefusedRequestException noRoomForBody;

    /** The same for all whose answer has none: nothing that matters is left of their request. */
    private final RefusedRequestException noRoomForAnswer;

    public ByteBudget(long bytesMax) {
        this.bytesMax = bytesMax;
        Problem overloaded = Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "The bodies of other requests and answers take the " + bytesMax
                        + " bytes there are for them: try again later. Nothing was changed.");
        this.noRoomForBody = RefusedRequestException.of(overloaded);
        this.noRoomForAnswer = RefusedRequestException.afterBody(overloaded);
    }

    /** Bytes taken now, never more than there are. */
    public long taken() {
        return taken.get();
    }

    /** Bytes there are. */
    public long max() {
        return bytesMax;
    }

    /** Bytes not taken now. */
    public long left() {
        return bytesMax - taken.get();
    }

    @Override
    public boolean take(long bytes) {
        long now = taken.get();
        while (now + bytes <= bytesMax) {
            long seen = taken.compareAndExchange(now, now + bytes);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false; // And at no instant were they counted, which would have refused others for nothing.
    }

    @Override
    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** Fails with {@link RefusedRequestException} if so many bytes are not there, and takes none. */
    void requireRoom(long bytes) {
        if (taken.get() + bytes > bytesMax) {
            throw noRoomForBody;
        }
    }

    /** Takes so many bytes for an answer, or fails with {@link RefusedRequestException} and takes none. */
    void require(long bytes) {
        if (!take(bytes)) {
            throw noRoomForAnswer;
        }
    }

    /** The refusal of a body that finds no room. */
    RefusedRequestException noRoomForBody() {
        return noRoomForBody;
    }

    /** What one body takes of the budget; nothing yet. */
    Share share() {
        return new Share();
    }

    /** Grows with a body that arrives. Any thread: a body that is late is given up by another one than that which brings it. */
    final class Share {
        private long bytes;
        private boolean ended;

        /** Takes the bytes of a piece, or none: there is no room, or all was given back. */
        synchronized boolean take(int more) {
            if (ended || !ByteBudget.this.take(more)) {
                return false;
            }
            bytes += more;
            return true;
        }

        /** Gives all back; from now on nothing can be taken. */
        synchronized void giveBack() {
            if (!ended) {
                ended = true;
                ByteBudget.this.giveBack(bytes);
            }
        }
    }
}
