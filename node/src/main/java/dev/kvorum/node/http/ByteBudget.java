package dev.kvorum.node.http;

import dev.kvorum.node.coordinator.Room;
import dev.kvorum.node.frame.Allowance;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Bounds the bytes of bodies that have arrived, are served, are held by undecided reads or are on their way out, over all connections of a
 * port.
 *
 * <p>No client can take it all. A connection has one body at a time. While three quarters are taken, the bodies of one address that have arrived in part have at most
 * half. What finds no room ends slow {@linkplain BodyTransfers transfers} first. Any thread; nothing waits.
 */
public final class ByteBudget implements Allowance, Room {
    private static final long BYTES_PER_SECOND_MIN = 64 << 10;

    private final long bytesMax;
    private final long bytesPerSecondMin;
    private final BodyTransfers transfers;
    private final AtomicLong taken = new AtomicLong();

    /** One for all whose body is not all there, as its text is made only once; it has no stack trace. */
    private final RefusedRequestException noRoomForBody;

    /** The same for all whose answer has none: nothing that matters is left of their request. */
    private final RefusedRequestException noRoomForAnswer;

    /** With the usual minimum rate. */
    public ByteBudget(long bytesMax) {
        this(bytesMax, BYTES_PER_SECOND_MIN);
    }

    /** @param bytesPerSecondMin a client that sends or takes a body more slowly is given up when bytes are short; at least 1 */
    public ByteBudget(long bytesMax, long bytesPerSecondMin) {
        this(bytesMax, bytesPerSecondMin, System::nanoTime);
    }

    ByteBudget(long bytesMax, long bytesPerSecondMin, LongSupplier nanos) {
        this.bytesMax = bytesMax;
        this.bytesPerSecondMin = bytesPerSecondMin;
        this.transfers = new BodyTransfers(bytesPerSecondMin, nanos);
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
        return takeIfThere(bytes) || (transfers.endSlow(atOnce(bytes)) && takeIfThere(bytes));
    }

    /** A part of all: where many slow transfers hold little each, not every byte takes a search. */
    private long atOnce(long bytes) {
        return Math.max(bytes, bytesMax / 16);
    }

    private boolean takeIfThere(long bytes) {
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
        if (bytes > left() && !(transfers.endSlow(atOnce(bytes)) && bytes <= left())) {
            throw noRoomForBody;
        }
    }

    long bytesPerSecondMin() {
        return bytesPerSecondMin;
    }

    /** Takes so many bytes for an answer to an address, or fails with {@link RefusedRequestException} and takes none. */
    void require(Object address, long bytes) {
        if (hasItsShare(address, bytes) || !take(bytes)) {
            throw noRoomForAnswer;
        }
    }

    /** The refusal of a body that finds no room. */
    RefusedRequestException noRoomForBody() {
        return noRoomForBody;
    }

    /** The transfers that hold some of it. */
    BodyTransfers transfers() {
        return transfers;
    }

    /** Whether the transfers of an address hold as much as they may, and are not slow. Of two at a time both may find room. */
    private boolean hasItsShare(Object address, long more) {
        return isBeyondShare(address, more) && !(transfers.endSlow(atOnce(more)) && !isBeyondShare(address, more));
    }

    /** An address that holds nothing may have one of any length. */
    private boolean isBeyondShare(Object address, long more) {
        if (left() - more >= bytesMax / 4) {
            return false;
        }
        long held = transfers.heldBy(address);
        return held > 0 && held + more > bytesMax / 2;
    }

    /** What one body takes of the budget; nothing yet. */
    Share share() {
        return new Share();
    }

    /** Grows with a body that arrives. Any thread: a body that is late is given up by another one than that which brings it. */
    final class Share {
        private long bytes;
        private boolean ended;
        private @Nullable BodyTransfer transfer; // Of a body that does not come in one read.

        /** Takes the bytes of a piece, or none: there is no room, or all was given back. */
        boolean take(int more) {
            return ByteBudget.this.take(more) && add(more);
        }

        /** As {@link #take(int)}, of a body of which more is to come. Takes none either if its address has as much as it may. */
        boolean take(int more, BodyTransfer of) {
            return !hasItsShare(of.address(), more) && take(more) && list(of, more);
        }

        private synchronized boolean add(int more) {
            if (ended) {
                ByteBudget.this.giveBack(more);
            } else {
                bytes += more;
            }
            return !ended;
        }

        private synchronized boolean list(BodyTransfer of, int more) {
            if (!ended) {
                transfer = of;
                transfers.moved(of, more, more);
            }
            return !ended; // What it took was given back with the rest.
        }

        /** The body is whole: its client holds nothing up any more. */
        synchronized void arrived() {
            if (transfer != null) {
                transfers.remove(transfer);
            }
        }

        /** Gives all back; from now on nothing can be taken. */
        synchronized void giveBack() {
            if (!ended) {
                ended = true;
                arrived();
                ByteBudget.this.giveBack(bytes);
            }
        }
    }
}
