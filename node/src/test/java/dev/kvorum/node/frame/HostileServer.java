package dev.kvorum.node.frame;

import static dev.kvorum.node.frame.RawFrames.MORE;

import dev.kvorum.node.frame.CallFailedException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A peers' port that does to whoever calls it what a broken or malicious server may: to each connection the same, once it has so many
 * calls. What exactly is told by a random source.
 */
final class HostileServer implements AutoCloseable {
    /** For so many calls it waits before it does anything but greet. */
    static final int CALLS = 8;

    private static final int PATIENCE_MILLIS = 20_000;
    private static final int BACKLOG = 16;

    /** What must come of the calls, and of the connection. */
    enum Outcome {
        /** It ends the connection: it is surely not the protocol. */
        MALFORMED,
        /** The server ends the connection. */
        LOST,
        /** The server has greeted, and says then that it serves none: the caller leaves, and can't know what came of its calls. */
        TURNED_AWAY,
        /** Nobody has greeted. */
        NOT_GREETED,
        REFUSED,
        LATE,
        ANSWERED;

        /** Why the calls may fail; empty if they must not. */
        Set<Reason> reasons() {
            return switch (this) {
                case MALFORMED, LOST, TURNED_AWAY -> Set.of(Reason.UNREACHABLE);
                case REFUSED -> Set.of(Reason.REFUSED);
                case NOT_GREETED -> Set.of(Reason.TIMED_OUT, Reason.UNREACHABLE); // Whichever is given up first.
                case LATE -> Set.of(Reason.TIMED_OUT);
                case ANSWERED -> Set.of();
            };
        }

        /** Whether the connection is good for more calls. */
        boolean isGoodAfterwards() {
            return switch (this) {
                case MALFORMED, LOST, TURNED_AWAY, NOT_GREETED -> false;
                case REFUSED, LATE, ANSWERED -> true;
            };
        }
    }

    enum Attack {
        GARBAGE_FOR_A_WELCOME(Outcome.MALFORMED),
        WELCOME_IN_ANOTHER_VERSION(Outcome.MALFORMED),
        GARBAGE(Outcome.MALFORMED),
        LENGTH_OUT_OF_RANGE(Outcome.MALFORMED),
        FLIPPED_BIT(Outcome.MALFORMED),
        LONGER_THAN_ITS_LENGTH(Outcome.MALFORMED),
        SHORTER_THAN_ITS_LENGTH(Outcome.MALFORMED),
        WELCOME_TWICE(Outcome.MALFORMED),
        WHAT_CALLERS_SEND(Outcome.MALFORMED),
        UNKNOWN_TYPE_OR_FLAGS(Outcome.MALFORMED),
        BODY_THAT_BEGINS_TWICE(Outcome.MALFORMED),
        SHORT_FRAMES_THAT_GO_ON(Outcome.MALFORMED),
        NO_STATUS(Outcome.MALFORMED),
        TRUNCATED(Outcome.LOST),
        RESET(Outcome.LOST),
        GOODBYE(Outcome.TURNED_AWAY),
        PART_OF_A_WELCOME(Outcome.NOT_GREETED),
        REPLIES_LONGER_THAN_ALLOWED(Outcome.REFUSED),
        NO_REPLY(Outcome.LATE),
        TAKES_NOTHING(Outcome.LATE),
        SLOW_WITHOUT_AN_END(Outcome.LATE),
        BODIES_WITHOUT_AN_END(Outcome.LATE),
        BODIES_WITHOUT_A_BEGINNING(Outcome.LATE),
        SLOW(Outcome.ANSWERED),
        REORDERED(Outcome.ANSWERED),
        REPLIES_TWICE(Outcome.ANSWERED),
        REPLIES_TO_UNKNOWN_IDS(Outcome.ANSWERED);

        private final Outcome outcome;

        Attack(Outcome outcome) {
            this.outcome = outcome;
        }

        Outcome outcome() {
            return outcome;
        }
    }

    /** A call that has come whole. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    record Called(int id, byte[] body) {}

    private final Attack attack;
    private final HostileReplies replies;
    private final ServerSocket port;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger attacks = new AtomicInteger();

    HostileServer(Attack attack, Random random) {
        this.attack = attack;
        this.replies = new HostileReplies(random);
        try {
            this.port = new ServerSocket();
            port.setReceiveBufferSize(4096); // Or what is not taken would be, by the system.
            port.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var _ = Thread.ofVirtual().start(this::acceptAll);
    }

    int port() {
        return port.getLocalPort();
    }

    /** How often it has begun to do to a connection what it does. */
    int attacks() {
        return attacks.get();
    }

    /** What callers did that they must not. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** One after the other: those who come back are attacked anew. */
    private void acceptAll() {
        while (!port.isClosed()) {
            try (Socket socket = port.accept()) {
                sockets.add(socket);
                attack(socket);
            } catch (SocketTimeoutException e) {
                complaints.add(attack + ": the caller did not hang up");
            } catch (IOException e) {
                // The caller has hung up, or this port is closed.
            }
        }
    }

    private void attack(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        byte[] bytes = replies.insteadOfWelcome(attack);
        if (bytes == null) {
            write(socket, HostileReplies.welcome());
            bytes = attack == Attack.TAKES_NOTHING
                    ? new byte[0]
                    : replies.to(attack, calls(new DataInputStream(socket.getInputStream())));
        }
        attacks.incrementAndGet(); // The caller may hang up at the first byte.
        send(socket, bytes);
        switch (attack) {
            case RESET -> socket.setSoLinger(true, 0);
            case TRUNCATED -> socket.shutdownOutput();
            case TAKES_NOTHING -> awaitClose();
            default -> {
                socket.setSoTimeout(attack.outcome == Outcome.MALFORMED ? PATIENCE_MILLIS : 0);
                readUntilClosed(socket);
            }
        }
    }

    private void awaitClose() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void readUntilClosed(Socket socket) throws IOException {
        byte[] chunk = new byte[64 << 10];
        while (socket.getInputStream().read(chunk) >= 0) {
            // What it says is of no interest.
        }
    }

    private static List<Called> calls(DataInputStream in) throws IOException {
        Map<Integer, ByteArrayOutputStream> bodies = new HashMap<>();
        List<Called> calls = new ArrayList<>();
        while (calls.size() < CALLS) {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            int id = ByteBuffer.wrap(frame).getInt(3);
            if (frame[0] == FrameType.CALL.code) {
                ByteArrayOutputStream body = bodies.computeIfAbsent(id, _ -> new ByteArrayOutputStream());
                body.write(frame, Frame.HEADER_BYTES, frame.length - Frame.REST_MIN);
                if ((frame[1] & MORE) == 0) {
                    calls.add(new Called(id, body.toByteArray()));
                }
            }
        }
        return calls;
    }

    private void send(Socket socket, byte[] bytes) throws IOException {
        switch (attack) {
            case SLOW, SLOW_WITHOUT_AN_END -> trickle(socket, bytes);
            default -> write(socket, bytes);
        }
    }

    private static void write(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** The first bytes one by one. */
    private static void trickle(Socket socket, byte[] bytes) throws IOException {
        int slow = Math.min(bytes.length, 300);
        for (int i = 0; i < slow; i++) {
            write(socket, new byte[] {bytes[i]});
        }
        write(socket, Arrays.copyOfRange(bytes, slow, bytes.length));
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            port.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
