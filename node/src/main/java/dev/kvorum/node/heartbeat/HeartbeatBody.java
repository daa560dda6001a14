package dev.kvorum.node.heartbeat;

import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.MessageReader;
import dev.kvorum.node.replica.MessageWriter;
import dev.kvorum.node.verification.Progress;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The bytes of heartbeats and of their answers; {@code docs/peer-protocol.md} says the same. */
public final class HeartbeatBody {
    private HeartbeatBody() {}

    /** A member tells how far its data directory has come. */
    public record Told(String member, Progress progress) {}

    /**
     * @param steadyMillis by the steady clock of the member that answers, in milliseconds since 1970
     * @param wallMillis by its wall clock
     * @param remembered what it remembers of the directory of the member that asked
     * @param start the number of its own start
     * @param changes how many changes it has made to its store until now, which a power cut may take again
     */
    public record Answer(long steadyMillis, long wallMillis, Progress remembered, long start, long changes) {}

    public static byte[] encode(Told told) {
        Progress progress = told.progress();
        return new MessageWriter()
                .putLong(progress.incarnation().getMostSignificantBits())
                .putLong(progress.incarnation().getLeastSignificantBits())
                .putLong(progress.start())
                .putLong(progress.written())
                .put(told.member().getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    /** @throws MalformedCallException if these are no such bytes */
    public static Told decode(byte[] body) {
        return MessageReader.read(body, in -> {
            UUID incarnation = new UUID(in.longNumber(), in.longNumber());
            Progress progress = new Progress(incarnation, in.longNumber(), in.longNumber());
            String member = new String(in.rest(), StandardCharsets.UTF_8);
            if (member.isEmpty()) {
                throw new MalformedCallException("a heartbeat names no member");
            }
            return new Told(member, progress);
        });
    }

    static byte[] encode(Answer answer) {
        return new MessageWriter()
                .putLong(answer.steadyMillis())
                .putLong(answer.wallMillis())
                .putLong(answer.remembered().start())
                .putLong(answer.remembered().written())
                .putLong(answer.start())
                .putLong(answer.changes())
                .toBytes();
    }

    /**
     * @param incarnation that was told
     * @throws MalformedCallException if these are no such bytes
     */
    public static Answer decodeAnswer(byte[] body, UUID incarnation) {
        return MessageReader.read(
                body,
                in -> new Answer(
                        in.longNumber(),
                        in.longNumber(),
                        new Progress(incarnation, in.longNumber(), in.longNumber()),
                        in.longNumber(),
                        in.longNumber()));
    }
}
