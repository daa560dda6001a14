package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.frame.HeapBytes;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * The body of a call from member to member, and how its reply is told. A call begins with the epoch that the caller goes by and the digest
 * of that topology, in eight bytes each; the digest is 0 where the caller does not know it.
 *
 * <pre>
 * READ      epoch, digest, key                                    200 cell | 404
 * WRITE     epoch, digest, two bytes of key length, key, cell     204 | 428 below the floor; the body is that version
 * BRING     as WRITE                                              204
 * TOPOLOGY  epoch, digest, topology or nothing, as JSON   200 topology that this node goes by now
 * HERE      epoch, digest, id of the member that calls    204
 * REPAIR_*, REGISTER_*, MEMBER_*                          {@code docs/peer-protocol.md}
 * any may answer          400 malformed | 409 clock too far ahead, or another topology of the epoch | 500 disk | 503 overloaded
 * most may answer         412 this node goes by a newer epoch | 425 by an older one; the body is that epoch
 * </pre>
 */
public final class PeerProtocol {
    /** How many bytes the items of a page have at most, unless it has but one. */
    public static final int PAGE_BYTES = 64 << 10;

    /** A fresh write was not taken: its version is below the floor. */
    static final HttpStatus BELOW = HttpStatus.PRECONDITION_REQUIRED;

    private static final int EPOCH_BYTES = Long.BYTES;
    private static final int HEAD_BYTES = EPOCH_BYTES + Long.BYTES;
    private static final int LENGTH_BYTES = 2;
    private static final int ITEM_HEAD_BYTES = 6; // The lengths of a key and of a cell.
    private static final int PAGE_HEAD_BYTES_MAX = 2048; // What stands before the items of a page, a key among it.

    private PeerProtocol() {}

    /** The longest body of a call or reply, in bytes, where a value has at most {@code valueMax}. */
    public static int callMax(int valueMax) {
        int cellMax = ITEM_HEAD_BYTES + Key.BYTES_MAX + Cell.HEADER_BYTES + valueMax;
        int pageMax = PAGE_HEAD_BYTES_MAX + Math.max(PAGE_BYTES, cellMax);
        return HEAD_BYTES + Math.max(pageMax, TopologyExchange.BYTES_MAX);
    }

    /** A write as it arrives. */
    record WriteCall(Key key, Cell cell) {}

    /** What a call begins with. */
    record Head(long epoch, long digest) {}

    static DataBuffer encodeRead(DataBufferFactory buffers, long epoch, long digest, Key key) {
        return encode(buffers, epoch, digest, key.utf8());
    }

    static DataBuffer encodeWrite(DataBufferFactory buffers, long epoch, long digest, Key key, Cell cell) {
        return begin(epoch, digest, LENGTH_BYTES + key.utf8().length + cell.bytes().length)
                .putKey(key)
                .put(cell.bytes())
                .toBuffer(buffers);
    }

    /** Any call, of what stands behind its head. */
    static DataBuffer encode(DataBufferFactory buffers, long epoch, long digest, byte[] rest) {
        return begin(epoch, digest, rest.length).put(rest).toBuffer(buffers);
    }

    private static MessageWriter begin(long epoch, long digest, int more) {
        return new MessageWriter(HEAD_BYTES + more).putLong(epoch).putLong(digest);
    }

    /** An epoch, as a refusal carries it. */
    static byte[] encodeEpoch(long epoch) {
        return new MessageWriter(EPOCH_BYTES).putLong(epoch).toBytes();
    }

    /** A version, as an answer carries it. */
    static byte[] encodeVersion(Version version) {
        return new MessageWriter(2 * Long.BYTES)
                .putLong(version.hybridTime())
                .putLong(version.author())
                .toBytes();
    }

    /** @throws MalformedCallException if there is none */
    static Version decodeVersion(MessageReader in) {
        if (in.remaining() < 2 * Long.BYTES) {
            throw new MalformedCallException("it ends before its version");
        }
        return new Version(in.longNumber(), in.longNumber());
    }

    /** @throws MalformedCallException if there is none */
    static Head decodeHead(MessageReader in) {
        if (in.remaining() < HEAD_BYTES) {
            throw new MalformedCallException("it ends before its epoch and digest");
        }
        return new Head(in.longNumber(), in.longNumber());
    }

    /**
     * The epoch that a refusal carries.
     *
     * @throws MalformedCallException if there is none
     */
    static long decodeEpoch(MessageReader in) {
        if (in.remaining() < EPOCH_BYTES) {
            throw new MalformedCallException("it ends before its epoch");
        }
        return in.longNumber();
    }

    /**
     * The key that a read asks for, behind its head.
     *
     * @throws MalformedCallException if it is none
     */
    static Key decodeRead(MessageReader in) {
        return in.whole(key -> Key.ofUtf8(key.rest()));
    }

    /**
     * The write in that body, behind its head.
     *
     * @throws MalformedCallException if it is none
     */
    static WriteCall decodeWrite(MessageReader in) {
        return in.whole(write -> {
            Key key = write.key();
            return new WriteCall(key, Cell.decodeCalled(write.rest()).requireIntact(key));
        });
    }

    static Cell decodeCell(MessageReader in, Key key) {
        return Cell.decode(in.rest()).requireIntact(key);
    }

    /** How a failure is told to the caller. */
    public static HttpStatus statusOf(Reason reason) {
        return switch (reason) {
            case OVERLOADED -> HttpStatus.SERVICE_UNAVAILABLE;
            case REFUSED -> HttpStatus.CONFLICT;
            case STALE -> HttpStatus.PRECONDITION_FAILED;
            case BEHIND -> HttpStatus.TOO_EARLY;
            case UNREACHABLE, TIMED_OUT, BROKEN -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }

    static Reason reasonOf(HttpStatusCode status) {
        return switch (status.value()) {
            case 503 -> Reason.OVERLOADED;
            case 412 -> Reason.STALE;
            case 425 -> Reason.BEHIND;
            case 400, 409, 413, 421 -> Reason.REFUSED;
            default -> Reason.BROKEN;
        };
    }

    /** All that the buffer holds, and releases it. */
    static byte[] takeAll(DataBuffer body) {
        try {
            return HeapBytes.takeAll(body);
        } finally {
            DataBufferUtils.release(body);
        }
    }
}
