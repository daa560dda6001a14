package dev.kvorum.load.chaos.copies;

import dev.kvorum.load.chaos.copies.FrameSocket.Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Calls one node as other members do, call by call: a second implementation of {@code docs/peer-protocol.md}. One thread. */
final class FrameCaller implements AutoCloseable {
    private static final int VERSION = 3;
    private static final int GREETING_BYTES = 5 + 3 * 2 + 3 * 8; // Empty texts, and the zeros of no directory.
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int BEAT_MILLIS = 5_000; // More often than that something is sent here.

    private final URI peer;
    private final FrameSocket frames;
    private int calls;

    /**
     * What the node replied.
     *
     * @param body all of it, of however many frames
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares replies.
    record Reply(int status, byte[] body) {}

    /** Connects and greets. */
    FrameCaller(URI peer) throws IOException {
        this.peer = peer;
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(peer.getHost(), peer.getPort()), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        this.frames = new FrameSocket(socket);
        frames.send(new Frame(FrameSocket.HELLO, 0, 0, 0, BEAT_MILLIS, greeting()));
        Frame answer = frames.receive();
        if (answer.type() != FrameSocket.WELCOME) {
            throw refused(answer);
        }
    }

    /** Of no cluster and no member, to whichever member is there. */
    private static byte[] greeting() {
        ByteBuffer greeting = ByteBuffer.allocate(GREETING_BYTES);
        greeting.put("KVRM".getBytes(StandardCharsets.US_ASCII)).put((byte) VERSION);
        return greeting.array();
    }

    /** Makes a call and waits for its reply. */
    Reply call(int operation, byte[] body) throws IOException {
        calls++;
        frames.send(new Frame(FrameSocket.CALL, 0, operation, calls, PATIENCE_MILLIS, body));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        while (true) {
            Frame frame = frames.receive();
            if (frame.type() == FrameSocket.GOODBYE) {
                throw refused(frame);
            }
            if (frame.type() == FrameSocket.REPLY && frame.id() == calls) {
                whole.writeBytes(frame.body());
                if (!frame.hasMore()) {
                    return new Reply(frame.head(), whole.toByteArray());
                }
            }
        }
    }

    private IOException refused(Frame answer) {
        return new IOException(peer + " refused a caller: " + new String(answer.body(), StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        frames.close();
    }
}
