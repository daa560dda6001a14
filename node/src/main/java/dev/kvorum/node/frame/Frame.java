package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import java.util.zip.CRC32C;

/**
 * One frame as it arrives: a message, or a piece of a message whose body is long.
 *
 * <pre>
 * offset  bytes
 *      0      4  how many bytes follow: 15 to 15 + {@value #BODY_MAX}
 *      4      1  type
 *      5      1  flags: 1 more of the body follows, 2 it goes on with a body that began before; 0 unless CALL or REPLY
 *      6      1  operation of a CALL, else 0
 *      7      4  id of the call, 0 for what belongs to none
 *     11      4  head: a number whose meaning depends on the type
 *     15      n  body
 *   15+n      4  CRC-32C of all from the type to the end of the body
 * </pre>
 *
 * <p>A frame that another follows is full: so nobody's memory fills with bodies that hardly begin. All numbers are big-endian. So
 * the first byte of a connection is 0, with which no request of HTTP begins.
 */
final class Frame {
    /** Longest body of one frame: what a short message lets go first, at most, of each long one that waits with it. */
    static final int BODY_MAX = 64 << 10;

    static final int LENGTH_BYTES = 4;
    static final int HEADER_BYTES = 11;
    static final int CHECKSUM_BYTES = 4;
    static final int REST_MIN = HEADER_BYTES + CHECKSUM_BYTES;
    static final int REST_MAX = REST_MIN + BODY_MAX;

    private static final int MORE = 1;
    private static final int CONTINUES = 2;

    final FrameType type;
    final int operation;
    final int id;
    final int head;
    final ByteBuf body;
    private final int flags;

    private Frame(FrameType type, int flags, int operation, int id, int head, ByteBuf body) {
        this.type = type;
        this.flags = flags;
        this.operation = operation;
        this.id = id;
        this.head = head;
        this.body = body;
    }

    /** Whether another frame of the same id goes on with the body. */
    boolean hasMore() {
        return (flags & MORE) != 0;
    }

    /** Whether it goes on with the body that an earlier frame of the same id began. */
    boolean isContinuation() {
        return (flags & CONTINUES) != 0;
    }

    boolean isWholeMessage() {
        return flags == 0;
    }

    /** Writes the frame that carries so many bytes of a body, from an offset. */
    static void write(
            ByteBuf out, FrameType type, int operation, int id, int head, byte[] body, int offset, int length) {
        int flags = (offset + length < body.length ? MORE : 0) | (offset > 0 ? CONTINUES : 0);
        out.writeInt(REST_MIN + length);
        int begin = out.writerIndex();
        out.writeByte(type.code);
        out.writeByte(flags);
        out.writeByte(operation);
        out.writeInt(id);
        out.writeInt(head);
        out.writeBytes(body, offset, length);
        out.writeInt(checksum(out, begin, out.writerIndex() - begin));
    }

    /**
     * Reads the rest of a frame behind its length, which is from {@link #REST_MIN} to {@link #REST_MAX}. The body is a view, good until
     * the buffer is read on.
     *
     * @throws MalformedFrameException if it is not one
     */
    static Frame read(ByteBuf in, int rest) {
        int begin = in.readerIndex();
        int covered = rest - CHECKSUM_BYTES;
        if (in.getInt(begin + covered) != checksum(in, begin, covered)) {
            throw new MalformedFrameException("a checksum does not match");
        }
        byte code = in.readByte();
        FrameType type = FrameType.of(code);
        int flags = in.readUnsignedByte();
        if (type == null || flags > (MORE | CONTINUES)) {
            throw new MalformedFrameException("type " + code + " with flags " + flags + " is not known");
        }
        requireFlagsOf(type, flags, covered - HEADER_BYTES);
        int operation = in.readUnsignedByte();
        int id = in.readInt();
        int head = in.readInt();
        ByteBuf body = in.readSlice(covered - HEADER_BYTES);
        in.skipBytes(CHECKSUM_BYTES);
        return new Frame(type, flags, operation, id, head, body);
    }

    private static void requireFlagsOf(FrameType type, int flags, int length) {
        if (flags == 0) {
            return;
        }
        if (type != FrameType.CALL && type != FrameType.REPLY) {
            throw new MalformedFrameException(type + " comes in one frame");
        }
        if ((flags & MORE) != 0 && length < BODY_MAX) {
            throw new MalformedFrameException("a frame of " + length + " bytes is followed by another");
        }
    }

    private static int checksum(ByteBuf bytes, int begin, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.nioBuffer(begin, length));
        return (int) checksum.getValue();
    }
}
