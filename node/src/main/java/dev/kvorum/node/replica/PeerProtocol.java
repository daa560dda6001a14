package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.frame.HeapBytes;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.nio.ByteBuffer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * The body of a call from member to member, and how its reply is told. A call begins with the epoch that the caller goes by, in eight bytes.
 *
 * <pre>
 * READ      epoch, key                                    200 cell | 404
 * WRITE     epoch, two bytes of key length, key, cell     204
 * TOPOLOGY  epoch, topology or nothing, as JSON           200 topology that this node goes by now
 * HERE      epoch, id of the member that calls            204
 * REPAIR_*, REGISTER_*, MEMBER_*                          {@code docs/peer-protocol.md}
 * any may answer          400 malformed | 409 clock too far ahead | 500 disk | 503 overloaded
 * most may answer         412 this node goes by a newer epoch | 425 by an older one; the body is that epoch
 * </pre>
 */
public final class PeerProtocol {
    /** How many bytes the items of a page have at most, unless it has but one. */
    public static final int PAGE_BYTES = 64 << 10;

    private static final int EPOCH_BYTES = Long.BYTES;
    private static final int LENGTH_BYTES = 2;
    private static final int ITEM_HEAD_BYTES = 6; // The lengths of a key and of a cell.
    private static final int PAGE_HEAD_BYTES_MAX = 2048; // What stands before the items of a page, a key among it.

    private PeerProtocol() {}

    /** The longest body of a call or reply, in bytes, where a value has at most {@code valueMax}. */
    public static int callMax(int valueMax) {
        int cellMax = ITEM_HEAD_BYTES + Key.BYTES_MAX + Cell.HEADER_BYTES + valueMax;
        int pageMax = PAGE_HEAD_BYTES_MAX + Math.max(PAGE_BYTES, cellMax);
        return EPOCH_BYTES + Math.max(pageMax, TopologyExchange.BYTES_MAX);
    }

    /** A write as it arrives. */
    public record WriteCall(Key key, Cell cell) {}

    static DataBuffer encodeRead(DataBufferFactory buffers, long epoch, Key key) {
        byte[] utf8 = key.utf8();
        return begin(buffers, epoch, utf8.length).write(utf8);
    }

    static DataBuffer encodeWrite(DataBufferFactory buffers, long epoch, Key key, Cell cell) {
        byte[] utf8 = key.utf8();
        DataBuffer buffer = begin(buffers, epoch, LENGTH_BYTES + utf8.length + cell.bytes().length);
        buffer.write((byte) (utf8.length >>> 8)).write((byte) utf8.length);
        return buffer.write(utf8).write(cell.bytes());
    }

    /** Any call, of what stands behind its epoch. */
    static DataBuffer encode(DataBufferFactory buffers, long epoch, byte[] rest) {
        return begin(buffers, epoch, rest.length).write(rest);
    }

    private static DataBuffer begin(DataBufferFactory buffers, long epoch, int more) {
        return buffers.allocateBuffer(EPOCH_BYTES + more).write(encodeEpoch(epoch));
    }

    /** An epoch, as a call begins with and a refusal carries. */
    public static byte[] encodeEpoch(long epoch) {
        return ByteBuffer.allocate(EPOCH_BYTES).putLong(epoch).array();
    }

    /**
     * The epoch that a call or refusal begins with. Takes it from the buffer.
     *
     * @throws MalformedCallException if there is none
     */
    public static long decodeEpoch(DataBuffer body) {
        if (body.readableByteCount() < EPOCH_BYTES) {
            throw new MalformedCallException("it ends before its epoch");
        }
        return ByteBuffer.wrap(take(body, EPOCH_BYTES)).getLong();
    }

    /**
     * The key that a read asks for, behind its epoch. Takes what the buffer holds, but does not release it.
     *
     * @throws InvalidKeyException if it is none
     */
    public static Key decodeRead(DataBuffer body) {
        return Key.ofUtf8(take(body, body.readableByteCount()));
    }

    /**
     * The write in that body, behind its epoch. Takes what the buffer holds, but does not release it.
     *
     * @throws InvalidKeyException if the key is none
     * @throws MalformedCellException if the rest is not a cell
     */
    public static WriteCall decodeWrite(DataBuffer body) {
        if (body.readableByteCount() < LENGTH_BYTES) {
            throw new InvalidKeyException("the call ends before its key");
        }
        int length = Byte.toUnsignedInt(body.read()) << 8 | Byte.toUnsignedInt(body.read());
        if (length > body.readableByteCount()) {
            throw new InvalidKeyException("the call ends within its key");
        }
        Key key = Key.ofUtf8(take(body, length));
        return new WriteCall(key, Cell.decodeCalled(take(body, body.readableByteCount())));
    }

    /** The cell in that body. Takes what the buffer holds, but does not release it. */
    static Cell decodeCell(DataBuffer body) {
        return Cell.decode(take(body, body.readableByteCount()));
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
            return take(body, body.readableByteCount());
        } finally {
            DataBufferUtils.release(body);
        }
    }

    /** All that the buffer holds, which is not released. */
    public static byte[] read(DataBuffer body) {
        return take(body, body.readableByteCount());
    }

    private static byte[] take(DataBuffer buffer, int length) {
        if (length == buffer.readableByteCount()) {
            return HeapBytes.takeAll(buffer);
        }
        byte[] bytes = new byte[length];
        buffer.read(bytes);
        return bytes;
    }
}
