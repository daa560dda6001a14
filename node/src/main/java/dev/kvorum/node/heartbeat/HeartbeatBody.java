package dev.kvorum.node.heartbeat;

import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.verification.Progress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The bytes of heartbeats and of their answers; {@code docs/peer-protocol.md} says the same. */
public final class HeartbeatBody {
    private static final int PROGRESS_BYTES = 4 * Long.BYTES;
    private static final int ANSWER_BYTES = 4 * Long.BYTES;

    private HeartbeatBody() {}

    /** A member tells how far its data directory has come. */
    public record Told(String member, Progress progress) {}

    /**
     * @param steadyMillis by the steady clock of the member that answers, in milliseconds since 1970
     * @param wallMillis by its wall clock
     * @param remembered what it remembers of the directory of the member that asked
     */
    public record Answer(long steadyMillis, long wallMillis, Progress remembered) {}

    public static byte[] encode(Told told) {
        byte[] member = told.member().getBytes(StandardCharsets.UTF_8);
        Progress progress = told.progress();
        return ByteBuffer.allocate(PROGRESS_BYTES + member.length)
                .putLong(progress.incarnation().getMostSignificantBits())
                .putLong(progress.incarnation().getLeastSignificantBits())
                .putLong(progress.start())
                .putLong(progress.written())
                .put(member)
                .array();
    }

    /** @throws MalformedCallException if these are no such bytes */
    public static Told decode(byte[] body) {
        if (body.length <= PROGRESS_BYTES) {
            throw new MalformedCallException(
                    "a heartbeat has at least " + (PROGRESS_BYTES + 1) + " bytes, this one " + body.length);
        }
        ByteBuffer bytes = ByteBuffer.wrap(body);
        Progress progress = new Progress(new UUID(bytes.getLong(), bytes.getLong()), bytes.getLong(), bytes.getLong());
        String member = new String(body, PROGRESS_BYTES, body.length - PROGRESS_BYTES, StandardCharsets.UTF_8);
        return new Told(member, progress);
    }

    static byte[] encode(Answer answer) {
        return ByteBuffer.allocate(ANSWER_BYTES)
                .putLong(answer.steadyMillis())
                .putLong(answer.wallMillis())
                .putLong(answer.remembered().start())
                .putLong(answer.remembered().written())
                .array();
    }

    /**
     * @param incarnation that was told
     * @throws MalformedCallException if these are no such bytes
     */
    public static Answer decodeAnswer(byte[] body, UUID incarnation) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(body);
            return new Answer(
                    bytes.getLong(), bytes.getLong(), new Progress(incarnation, bytes.getLong(), bytes.getLong()));
        } catch (BufferUnderflowException e) {
            throw new MalformedCallException(
                    "an answer to a heartbeat has " + ANSWER_BYTES + " bytes, this one " + body.length);
        }
    }
}
