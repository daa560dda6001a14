package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.frame.HeapBytes;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.nio.ByteBuffer;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * A call from member to member: a path names the operation, and the body is binary. Over HTTP it is a POST, in frames a CALL. It begins with
 * the epoch that the caller goes by, in eight bytes.
 *
 * <pre>
 * POST /replica/read      epoch, key                                    200 cell | 404
 * POST /replica/write     epoch, two bytes of key length, key, cell     204
 * POST /replica/topology  epoch, topology or nothing, as JSON           200 topology that this node goes by now
 * POST /replica/here      epoch, id of the member that calls            204
 * POST /repair/...        epoch, what one copy of a partition asks another for: {@code docs/peer-protocol.md}
 * POST /register/...      epoch, what one round of consensus asks another member for: {@code docs/peer-protocol.md}
 * any may answer          400 malformed | 409 clock too far ahead | 421 another cluster | 500 disk | 503 overloaded
 * most may answer         412 this node goes by a newer epoch | 425 by an older one; the body is that epoch
 * </pre>
 *
 * <p>The epoch in front of {@code topology}, {@code here} and {@code life} is not looked at: who asks for these may not know the present one.
 *
 * <p>The header {@value #CLUSTER} names the cluster the caller belongs to, where its topology does.
 */
public final class PeerProtocol {
    public static final String READ = "/replica/read";
    public static final String WRITE = "/replica/write";
    public static final String TOPOLOGY = "/replica/topology";
    public static final String HERE = "/replica/here";
    public static final String REPAIR_TREE = "/repair/tree";
    public static final String REPAIR_LIST = "/repair/list";
    public static final String REPAIR_CELLS = "/repair/cells";
    public static final String REPAIR_STREAM = "/repair/stream";
    public static final String REPAIR_STORE = "/repair/store";
    public static final String REPAIR_VERIFIED = "/repair/verified";
    public static final String REPAIR_RUN = "/repair/run";
    public static final String REPAIR_LIFE = "/repair/life";

    public static final String REGISTER_QUERY = "/register/query";
    public static final String REGISTER_PREPARE = "/register/prepare";
    public static final String REGISTER_ACCEPT = "/register/accept";
    public static final String REGISTER_COMMIT = "/register/commit";

    /** What the calls of registers begin with. */
    public static final String REGISTER = "/register/";

    /** What the calls of repair begin with. */
    public static final String REPAIR = "/repair/";

    public static final String CLUSTER = "Kvorum-Cluster";

    /** All operations; in frames their place in this list, from 1, stands for them. */
    public static final List<String> OPERATIONS = List.of(
            READ,
            WRITE,
            TOPOLOGY,
            REPAIR_TREE,
            REPAIR_LIST,
            REPAIR_CELLS,
            REPAIR_STREAM,
            REPAIR_STORE,
            REPAIR_VERIFIED,
            REPAIR_RUN,
            REPAIR_LIFE,
            REGISTER_QUERY,
            REGISTER_PREPARE,
            REGISTER_ACCEPT,
            REGISTER_COMMIT,
            HERE);

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
