package dev.kvorum.node.hint;

import dev.kvorum.node.config.HintSettings;
import java.util.concurrent.TimeUnit;

/**
 * How fast hints may be brought to other members, by all lanes together: so many a second, and so many bytes. Each lane waits after a batch
 * for as long as that took its share, so that none starves. Times are nanoseconds from any origin at or above 0. Any thread.
 */
final class HintPace {
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What was not sent in time, because timers are coarse and replicas take their time, may be sent for so long afterwards. */
    private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(100);

    private final double nanosPerHint;
    private final double nanosPerByte;
    private long freeAt;

    HintPace(HintSettings settings) {
        this.nanosPerHint = SECOND / settings.replayWrites();
        this.nanosPerByte = SECOND / settings.replayBytes().toBytes();
    }

    /**
     * So much is being sent.
     *
     * @return when who sends it may send more: his turn comes after those of others who have sent something meanwhile
     */
    synchronized long spend(long now, int hints, long bytes) {
        long cost = (long) Math.max(hints * nanosPerHint, bytes * nanosPerByte);
        freeAt = Math.max(freeAt, now - SLACK) + cost;
        return freeAt;
    }
}
