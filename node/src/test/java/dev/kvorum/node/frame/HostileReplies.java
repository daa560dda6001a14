package dev.kvorum.node.frame;

import static dev.kvorum.node.frame.RawFrames.CONTINUES;
import static dev.kvorum.node.frame.RawFrames.MORE;

import dev.kvorum.node.frame.HostileServer.Attack;
import dev.kvorum.node.frame.HostileServer.Called;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What a {@link HostileServer} sends for a welcome and for replies, right or wrong in all ways; which exactly is told by a random source. */
final class HostileReplies {
    private static final int STATUS = 200;

    private final Random random;

    HostileReplies(Random random) {
        this.random = random;
    }

    /** What is sent for a welcome; null for a real one. */
    byte @Nullable [] insteadOfWelcome(Attack attack) {
        return switch (attack) {
            case GARBAGE_FOR_A_WELCOME -> garbage();
            case WELCOME_IN_ANOTHER_VERSION -> welcome(Greeting.VERSION + (random.nextBoolean() ? 1 : -1));
            case PART_OF_A_WELCOME -> Arrays.copyOf(welcome(), random.nextInt(welcome().length));
            default -> null;
        };
    }

    /** What is sent when these calls have come. */
    byte[] to(Attack attack, List<Called> calls) {
        int id = calls.getFirst().id();
        return switch (attack) {
            case GARBAGE -> garbage();
            case LENGTH_OUT_OF_RANGE -> RawFrames.lengthOutOfRange(reply(id, STATUS, bytes(10)), random);
            case FLIPPED_BIT -> RawFrames.flipped(reply(id, STATUS, bytes(random.nextInt(5000))), random);
            case LONGER_THAN_ITS_LENGTH -> lengthened(-1 - random.nextInt(1000), id);
            case SHORTER_THAN_ITS_LENGTH -> lengthened(1 + random.nextInt(1000), id);
            case WELCOME_TWICE -> welcome();
            case WHAT_CALLERS_SEND -> ofCallers(id);
            case UNKNOWN_TYPE_OR_FLAGS -> unknown(id);
            case BODY_THAT_BEGINS_TWICE -> RawFrames.joined(part(id, MORE), part(id, MORE));
            case SHORT_FRAMES_THAT_GO_ON -> reply(id, MORE, STATUS, bytes(random.nextInt(Frame.BODY_MAX)));
            case NO_STATUS -> reply(id, noStatus(), bytes(10));
            case TRUNCATED -> truncated(id);
            case GOODBYE -> RawFrames.frame(FrameType.GOODBYE, 0, 0, bytes(random.nextInt(Frame.BODY_MAX)));
            case REPLIES_LONGER_THAN_ALLOWED -> tooLong(calls);
            case NO_REPLY -> pongs();
            case SLOW_WITHOUT_AN_END -> Arrays.copyOf(reply(id, STATUS, bytes(200)), 150);
            case BODIES_WITHOUT_AN_END -> parts(calls, MORE);
            case BODIES_WITHOUT_A_BEGINNING -> parts(calls, CONTINUES);
            case SLOW -> echoes(calls);
            case REORDERED -> interleaved(calls);
            case REPLIES_TWICE -> twice(calls);
            case REPLIES_TO_UNKNOWN_IDS -> amongUnknown(calls);
            case RESET, TAKES_NOTHING, GARBAGE_FOR_A_WELCOME, WELCOME_IN_ANOTHER_VERSION, PART_OF_A_WELCOME ->
                new byte[0];
        };
    }

    /** The real one. */
    static byte[] welcome() {
        return welcome(Greeting.VERSION);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] welcome(int version) {
        return RawFrames.welcome(version, "n1");
    }

    private static byte[] reply(int id, int status, byte[] body) {
        return reply(id, 0, status, body);
    }

    private static byte[] reply(int id, int flags, int status, byte[] body) {
        return RawFrames.frame(FrameType.REPLY.code, flags, 0, id, status, body);
    }

    private static byte[] part(int id, int flags) {
        return reply(id, flags, STATUS, new byte[Frame.BODY_MAX]);
    }

    private static byte[] joined(List<byte[]> frames) {
        return RawFrames.joined(frames.toArray(byte[][]::new));
    }

    /** What every call is answered with that is answered: its own body, in as many frames as that takes. */
    private static List<byte[]> echo(Called call) {
        List<byte[]> frames = new ArrayList<>();
        int sent = 0;
        do {
            int length = Math.min(Frame.BODY_MAX, call.body().length - sent);
            int flags = (sent > 0 ? CONTINUES : 0) | (sent + length < call.body().length ? MORE : 0);
            frames.add(reply(call.id(), flags, STATUS, Arrays.copyOfRange(call.body(), sent, sent + length)));
            sent += length;
        } while (sent < call.body().length);
        return frames;
    }

    private static byte[] echoes(List<Called> calls) {
        return joined(calls.stream().flatMap(call -> echo(call).stream()).toList());
    }

    /** Does not begin with a length that a frame may have. */
    private byte[] garbage() {
        byte[] garbage = bytes(Frame.LENGTH_BYTES + random.nextInt(200_000));
        garbage[0] |= 1;
        return garbage;
    }

    /** A reply that says to be so many bytes longer than it is, and others behind it. */
    private byte[] lengthened(int more, int id) {
        byte[] reply = reply(id, STATUS, bytes(1000));
        byte[] lengthened = RawFrames.withLength(reply, reply.length - Frame.LENGTH_BYTES + more);
        return RawFrames.joined(lengthened, reply(id, STATUS, bytes(1000)), reply(id, STATUS, bytes(1000)));
    }

    private byte[] ofCallers(int id) {
        List<byte[]> frames = List.of(
                RawFrames.hello(Greeting.VERSION, "demo"),
                RawFrames.call(id, 1000, "who answers?"),
                RawFrames.cancel(id),
                RawFrames.frame(FrameType.PING, 0, 0, new byte[0]));
        return frames.get(random.nextInt(frames.size()));
    }

    private byte[] unknown(int id) {
        return switch (random.nextInt(3)) {
            case 0 -> RawFrames.frame(FrameType.PONG.code + 1 + random.nextInt(200), 0, 0, id, STATUS, bytes(10));
            case 1 -> reply(id, 4 << random.nextInt(6), STATUS, bytes(10));
            default -> RawFrames.frame(FrameType.PONG.code, 1 + random.nextInt(3), 0, 0, 0, new byte[0]);
        };
    }

    private int noStatus() {
        return switch (random.nextInt(3)) {
            case 0 -> random.nextInt(100);
            case 1 -> 1000 + random.nextInt(1_000_000);
            default -> -1 - random.nextInt(Integer.MAX_VALUE);
        };
    }

    /** Ends within its first frame. */
    private byte[] truncated(int id) {
        byte[] reply = reply(id, STATUS, bytes(1 + random.nextInt(5000)));
        return Arrays.copyOf(reply, random.nextInt(reply.length));
    }

    private byte[] tooLong(List<Called> calls) {
        int frames = FrameServer.BODY_MAX / Frame.BODY_MAX + 1 + random.nextInt(3);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Called call : calls) {
            all.writeBytes(part(call.id(), MORE));
            for (int i = 1; i < frames; i++) {
                all.writeBytes(part(call.id(), MORE | CONTINUES));
            }
        }
        return all.toByteArray();
    }

    private byte[] pongs() {
        byte[][] pongs = new byte[random.nextInt(500)][];
        Arrays.fill(pongs, RawFrames.frame(FrameType.PONG, 0, 0, new byte[0]));
        return RawFrames.joined(pongs);
    }

    private static byte[] parts(List<Called> calls, int flags) {
        return joined(calls.stream().map(call -> part(call.id(), flags)).toList());
    }

    /** All replies in pieces that take turns by chance; those of one reply stay in order. */
    private byte[] interleaved(List<Called> calls) {
        List<List<byte[]>> left = new ArrayList<>();
        calls.forEach(call -> left.add(echo(call)));
        List<byte[]> frames = new ArrayList<>();
        while (!left.isEmpty()) {
            List<byte[]> next = left.get(random.nextInt(left.size()));
            frames.add(next.removeFirst());
            left.removeIf(List::isEmpty);
        }
        return joined(frames);
    }

    /** The first reply counts; the second may be any, and may come in parts. */
    private byte[] twice(List<Called> calls) {
        List<byte[]> frames = new ArrayList<>();
        for (Called call : calls) {
            frames.addAll(echo(call));
            frames.add(reply(call.id(), 100 + random.nextInt(900), bytes(random.nextInt(2000))));
            frames.add(part(call.id(), random.nextInt(4)));
        }
        return joined(frames);
    }

    /** Ids that nobody has, some of which belong to places in the ring that calls have. */
    private byte[] amongUnknown(List<Called> calls) {
        List<Called> shuffled = new ArrayList<>(calls);
        Collections.shuffle(shuffled, random);
        List<byte[]> frames = new ArrayList<>();
        for (Called call : shuffled) {
            frames.add(reply(call.id() + (1 << (8 + random.nextInt(23))), STATUS, bytes(random.nextInt(2000))));
            frames.add(part(random.nextInt() | Integer.MIN_VALUE, random.nextInt(4)));
            frames.addAll(echo(call));
        }
        return joined(frames);
    }
}
