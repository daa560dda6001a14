package dev.kvorum.load.chaos.copies;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** A connection that carries frames, as {@code docs/peer-protocol.md} describes them. One thread. */
final class FrameSocket implements AutoCloseable {
    /** Types of frames, by code. */
    static final int HELLO = 1;

    static final int WELCOME = 2;
    static final int GOODBYE = 3;
    static final int CALL = 4;
    static final int REPLY = 5;
    private static final int HEAD_BYTES = 11; // Type, flags, operation, id, head.
    private static final int FRAME_MAX = 65_551;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * One frame.
     *
     * @param operation of a call
     * @param head the meaning depends on the type
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares frames.
    record Frame(int type, int flags, int operation, int id, int head, byte[] body) {
        private static final int MORE = 1;

        boolean hasMore() {
            return (flags & MORE) != 0;
        }
    }

    FrameSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    void send(Frame frame) throws IOException {
        byte[] checked = ByteBuffer.allocate(HEAD_BYTES + frame.body.length)
                .put((byte) frame.type)
                .put((byte) frame.flags)
                .put((byte) frame.operation)
                .putInt(frame.id)
                .putInt(frame.head)
                .put(frame.body)
                .array();
        out.writeInt(checked.length + Integer.BYTES);
        out.write(checked);
        out.writeInt(sum(checked));
        out.flush();
    }

    Frame receive() throws IOException {
        int length = in.readInt();
        if (length < HEAD_BYTES + Integer.BYTES || length > FRAME_MAX) {
            throw new IOException("a frame of " + length + " bytes came");
        }
        byte[] checked = in.readNBytes(length - Integer.BYTES);
        if (checked.length < length - Integer.BYTES || in.readInt() != sum(checked)) {
            throw new IOException("a damaged frame came");
        }
        ByteBuffer frame = ByteBuffer.wrap(checked);
        int type = frame.get();
        int flags = frame.get();
        int operation = frame.get();
        int id = frame.getInt();
        int head = frame.getInt();
        byte[] body = new byte[frame.remaining()];
        frame.get(body);
        return new Frame(type, flags, operation, id, head, body);
    }

    private static int sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
