package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * A call from member to member: a path names the operation, and the body is binary. Over HTTP it is a POST, in frames a CALL.
 *
 * <pre>
 * POST /replica/read    key                                    200 cell | 404
 * POST /replica/write   two bytes of key length, key, cell     204
 * POST /repair/...      what one copy of a partition asks another for: {@code docs/peer-protocol.md}
 * all may answer     400 malformed | 409 clock too far ahead | 421 another cluster | 500 disk | 503 overloaded
 * </pre>
 *
 * <p>The header {@value #CLUSTER} names the cluster the caller belongs to, where its topology does.
 */
public final class PeerProtocol {
    public static final String READ = "/replica/read";
    public static final String WRITE = "/replica/write";
    public static final String REPAIR_TREE = "/repair/tree";
    public static final String REPAIR_LIST = "/repair/list";
    public static final String REPAIR_CELLS = "/repair/cells";
    public static final String REPAIR_STREAM = "/repair/stream";
    public static final String REPAIR_STORE = "/repair/store";
    public static final String REPAIR_VERIFIED = "/repair/verified";
    public static final String REPAIR_RUN = "/repair/run";
    public static final String REPAIR_LIFE = "/repair/life";

    /** What the calls of repair begin with. */
    public static final String REPAIR = "/repair/";

    public static final String CLUSTER = "Kvorum-Cluster";

    /** All operations; in frames their place in this list, from 1, stands for them. */
    public static final List<String> OPERATIONS = List.of(
            READ,
            WRITE,
            REPAIR_TREE,
            REPAIR_LIST,
            REPAIR_CELLS,
            REPAIR_STREAM,
            REPAIR_STORE,
            REPAIR_VERIFIED,
            REPAIR_RUN,
            REPAIR_LIFE);

    /** How many bytes the items of a page have at most, unless it has but one. */
    public static final int PAGE_BYTES = 64 << 10;

    private static final int LENGTH_BYTES = 2;
    private static final int ITEM_HEAD_BYTES = 6; // The lengths of a key and of a cell.
    private static final int PAGE_HEAD_BYTES_MAX = 2048; // What stands before the items of a page, a key among it.

    private PeerProtocol() {}

    /** The longest body of a call or reply, in bytes, where a value has at most {@code valueMax}. */
    public static int callMax(int valueMax) {
        int cellMax = ITEM_HEAD_BYTES + Key.BYTES_MAX + Cell.HEADER_BYTES + valueMax;
        return PAGE_HEAD_BYTES_MAX + Math.max(PAGE_BYTES, cellMax);
    }

    /** A write as it arrives. */
    public record WriteCall(Key key, Cell cell) {}

    static DataBuffer encodeRead(DataBufferFactory buffers, Key key) {
        return buffers.wrap(key.utf8());
    }

    static DataBuffer encodeWrite(DataBufferFactory buffers, Key key, Cell cell) {
        byte[] utf8 = key.utf8();
        DataBuffer buffer = buffers.allocateBuffer(LENGTH_BYTES + utf8.length + cell.bytes().length);
        buffer.write((byte) (utf8.length >>> 8)).write((byte) utf8.length);
        return buffer.write(utf8).write(cell.bytes());
    }

    /**
     * The key that a read asks for. Takes what the buffer holds, but does not release it.
     *
     * @throws InvalidKeyException if it is none
     */
    public static Key decodeRead(DataBuffer body) {
        return Key.ofUtf8(take(body, body.readableByteCount()));
    }

    /**
     * The write in that body. Takes what the buffer holds, but does not release it.
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
        return new WriteCall(key, Cell.decode(take(body, body.readableByteCount())));
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
            case UNREACHABLE, TIMED_OUT, BROKEN -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }

    static Reason reasonOf(HttpStatusCode status) {
        return switch (status.value()) {
            case 503 -> Reason.OVERLOADED;
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
        byte[] bytes = new byte[length];
        buffer.read(bytes);
        return bytes;
    }
}
