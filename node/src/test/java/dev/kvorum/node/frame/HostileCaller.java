package dev.kvorum.node.frame;

import static dev.kvorum.node.frame.RawFrames.CONTINUES;
import static dev.kvorum.node.frame.RawFrames.MORE;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Sends to a peers' port whatever a broken or malicious caller may; what exactly is told by a random source. */
public final class HostileCaller {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int WAIT_MILLIS = 60_000;

    /** What it does, and whether that is surely not the protocol. */
    public enum Attack {
        GARBAGE(true),
        LENGTH_OUT_OF_RANGE(true),
        FLIPPED_BIT(true),
        NO_GREETING(true),
        SAME_ID_TWICE_IN_PARTS(true),
        SHORT_FRAMES_THAT_GO_ON(true),
        TRUNCATED(false),
        REORDERED(false),
        SLOW(false),
        REPLIES_NOT_TAKEN(false),
        BODIES_WITHOUT_AN_END(false),
        CANCELS_OF_ANYTHING(false);

        private final boolean isMalformed;

        Attack(boolean isMalformed) {
            this.isMalformed = isMalformed;
        }

        public boolean isMalformed() {
            return isMalformed;
        }
    }

    private final int port;
    private final String cluster;
    private final Random random;

    /** @param cluster that it claims to belong to */
    public HostileCaller(int port, String cluster, Random random) {
        this.port = port;
        this.cluster = cluster;
        this.random = random;
    }

    /** Attacks over a connection of its own; what is malformed is followed until the server closes it. */
    public void attack(Attack attack) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            send(socket, attack);
            if (attack.isMalformed) {
                readUntilClosed(socket);
            }
        } catch (SocketException e) {
            if (!attack.isMalformed) { // Else reset while more was sent: closed as well.
                throw e;
            }
        }
    }

    private static void readUntilClosed(Socket socket) throws IOException {
        byte[] chunk = new byte[64 << 10];
        while (socket.getInputStream().read(chunk) >= 0) {
            // What it has said before is of no interest.
        }
    }

    private void send(Socket socket, Attack attack) throws IOException {
        switch (attack) {
            case GARBAGE -> write(socket, garbage());
            case LENGTH_OUT_OF_RANGE ->
                write(socket, greeted(RawFrames.lengthOutOfRange(RawFrames.call(1, WAIT_MILLIS, "x"), random)));
            case FLIPPED_BIT -> write(socket, flipped());
            case NO_GREETING -> write(socket, RawFrames.joined(frames().toArray(byte[][]::new)));
            case SAME_ID_TWICE_IN_PARTS ->
                write(socket, greeted(part(7, MORE), part(7, MORE), RawFrames.call(7, WAIT_MILLIS, "again")));
            case SHORT_FRAMES_THAT_GO_ON ->
                write(socket, greeted(RawFrames.call(1, MORE, WAIT_MILLIS, bytes(random.nextInt(Frame.BODY_MAX)))));
            case TRUNCATED -> write(socket, truncated());
            case REORDERED -> write(socket, reordered());
            case SLOW -> trickle(socket);
            case REPLIES_NOT_TAKEN -> {
                socket.setReceiveBufferSize(4096);
                write(socket, greeted(fullCalls(30)));
            }
            case BODIES_WITHOUT_AN_END -> write(socket, greeted(openCalls(20)));
            case CANCELS_OF_ANYTHING -> write(socket, cancels());
        }
    }

    private static void write(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] greeted(byte[]... frames) {
        return RawFrames.joined(RawFrames.hello(3, cluster), RawFrames.joined(frames));
    }

    /** Begins with a 0, as frames do: what does not is not taken for frames. Its length is out of range, or its checksum wrong. */
    private byte[] garbage() {
        byte[] garbage = bytes(random.nextInt(200_000) + Frame.REST_MAX + Frame.LENGTH_BYTES);
        garbage[0] = 0;
        return garbage;
    }

    private byte[] flipped() {
        byte[] call = RawFrames.flipped(RawFrames.call(1, 0, WAIT_MILLIS, bytes(random.nextInt(5000))), random);
        return greeted(RawFrames.call(0, WAIT_MILLIS, "right"), call, RawFrames.call(2, WAIT_MILLIS, "right"));
    }

    private static byte[] part(int id, int flags) {
        return RawFrames.call(id, flags, WAIT_MILLIS, new byte[Frame.BODY_MAX]);
    }

    private List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        for (int id = 1; id <= 8; id++) {
            frames.add(RawFrames.call(id, 0, WAIT_MILLIS, bytes(random.nextInt(2000))));
            frames.add(part(100 + id, MORE));
            frames.add(part(100 + id, CONTINUES));
            frames.add(RawFrames.cancel(random.nextInt(120)));
            frames.add(RawFrames.frame(FrameType.PING, 0, 0, new byte[0]));
        }
        return frames;
    }

    private byte[] truncated() {
        byte[] stream = greeted(frames().toArray(byte[][]::new));
        return Arrays.copyOf(stream, random.nextInt(stream.length));
    }

    private byte[] reordered() {
        List<byte[]> frames = frames();
        Collections.shuffle(frames, random);
        return greeted(frames.toArray(byte[][]::new));
    }

    private void trickle(Socket socket) throws IOException {
        byte[] stream = greeted(RawFrames.call(1, 0, WAIT_MILLIS, bytes(200)));
        int sent = random.nextInt(stream.length);
        for (int i = 0; i < sent; i++) {
            write(socket, new byte[] {stream[i]});
        }
    }

    private byte[][] fullCalls(int count) {
        byte[][] calls = new byte[count][];
        for (int i = 0; i < count; i++) {
            calls[i] = RawFrames.call(i, 0, WAIT_MILLIS, new byte[Frame.BODY_MAX]);
        }
        return calls;
    }

    private static byte[][] openCalls(int count) {
        byte[][] calls = new byte[count][];
        for (int i = 0; i < count; i++) {
            calls[i] = part(i, MORE);
        }
        return calls;
    }

    private byte[] cancels() {
        byte[][] frames = new byte[500][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = random.nextInt(10) == 0
                    ? RawFrames.call(i, WAIT_MILLIS, "x")
                    : RawFrames.cancel(random.nextInt(frames.length));
        }
        return greeted(frames);
    }
}
