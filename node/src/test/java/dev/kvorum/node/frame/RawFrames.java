package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** Frames by hand, right or wrong, and what is in those that come back: written without the code that is tested. */
final class RawFrames {
    static final int MORE = 1;
    static final int CONTINUES = 2;

    private static final byte[] INCARNATION = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final long START = 7;

    private RawFrames() {}

    /** A frame as the test found it. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    record Seen(FrameType type, int operation, int id, int head, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    static byte[] frame(int type, int flags, int operation, int id, int head, byte[] body) {
        ByteBuf frame = Unpooled.buffer();
        frame.writeInt(15 + body.length);
        frame.writeByte(type).writeByte(flags).writeByte(operation);
        frame.writeInt(id).writeInt(head).writeBytes(body);
        CRC32C checksum = new CRC32C();
        checksum.update(frame.array(), 4, frame.readableBytes() - 4);
        frame.writeInt((int) checksum.getValue());
        return ByteBufUtil.getBytes(frame);
    }

    static byte[] frame(FrameType type, int id, int head, byte[] body) {
        return frame(type.code, 0, 0, id, head, body);
    }

    static byte[] call(int id, int waitMillis, String body) {
        return call(id, 0, waitMillis, body.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] call(int id, int flags, int waitMillis, byte[] body) {
        return frame(FrameType.CALL.code, flags, 1, id, waitMillis, body);
    }

    static byte[] cancel(int id) {
        return frame(FrameType.CANCEL, id, 0, new byte[0]);
    }

    static byte[] hello(int version, String cluster) {
        return hello(version, cluster, 1000);
    }

    static byte[] hello(int version, String cluster, int beatMillis) {
        return frame(FrameType.HELLO, 0, beatMillis, greeting(version, cluster));
    }

    static byte[] greeting(int version, String cluster) {
        return greeting(version, cluster, "", "");
    }

    /**
     * @param meant the member that is called
     * @param caller the member that calls, at its 7th start
     */
    static byte[] greeting(int version, String cluster, String meant, String caller) {
        ByteBuf greeting = Unpooled.buffer().writeBytes(new byte[] {'K', 'V', 'R', 'M'});
        greeting.writeByte(version);
        for (String text : List.of(cluster, meant, caller)) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            greeting.writeShort(bytes.length).writeBytes(bytes);
        }
        return ByteBufUtil.getBytes(greeting.writeBytes(INCARNATION).writeLong(START));
    }

    /** The welcome of that member, at its 7th start. */
    static byte[] welcome(int version, String member) {
        byte[] id = member.getBytes(StandardCharsets.UTF_8);
        ByteBuf body = Unpooled.buffer()
                .writeShort(id.length)
                .writeBytes(id)
                .writeBytes(INCARNATION)
                .writeLong(START);
        return frame(FrameType.WELCOME, 0, version, ByteBufUtil.getBytes(body));
    }

    /** The frame with another length in front; what is behind it stays. */
    static byte[] withLength(byte[] frame, int length) {
        byte[] changed = frame.clone();
        ByteBuffer.wrap(changed).putInt(length);
        return changed;
    }

    /** The frame with a length that none has. */
    static byte[] lengthOutOfRange(byte[] frame, Random random) {
        int tooShort = random.nextBoolean() ? random.nextInt(Frame.REST_MIN) : -random.nextInt(Integer.MAX_VALUE) - 1;
        return withLength(frame, random.nextBoolean() ? tooShort : Frame.REST_MAX + 1 + random.nextInt(1 << 30));
    }

    /** The frame with another bit somewhere behind its length. */
    static byte[] flipped(byte[] frame, Random random) {
        byte[] flipped = frame.clone();
        int bit = Frame.LENGTH_BYTES * 8 + random.nextInt((frame.length - Frame.LENGTH_BYTES) * 8);
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        return flipped;
    }

    static Frame parsed(FrameType type, int flags, int id, byte[] body) {
        ByteBuf bytes = Unpooled.wrappedBuffer(frame(type.code, flags, 1, id, 0, body));
        return Frame.read(bytes, bytes.readInt());
    }

    /** The frames in these bytes, which are whole frames. */
    static List<Seen> seen(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        List<Seen> all = new ArrayList<>();
        while (in.isReadable()) {
            Frame frame = Frame.read(in, in.readInt());
            all.add(new Seen(frame.type, frame.operation, frame.id, frame.head, ByteBufUtil.getBytes(frame.body)));
        }
        return all;
    }

    static byte[] joined(byte[]... frames) {
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(frames));
    }

    static byte[] filled(int length, int with) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }
}
