package dev.kvorum.history;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a client. Times are nanoseconds from one origin for the whole history, by a clock that never goes back.
 *
 * @param client whose: it has one operation at a time
 * @param node the id of the node that it was sent to
 * @param life which life of that node served it, counted from 1 by its starts; {@link #LIFE_UNKNOWN} where nobody can tell
 * @param invoked when the client sent it
 * @param returned when the client had the answer, or gave up
 */
public record Operation(
        int client, String node, int life, Request request, Answer answer, long invoked, long returned) {
    public static final int LIFE_UNKNOWN = 0;

    private static final double NANOS_PER_SECOND = 1e9;

    public Operation {
        if (returned < invoked) {
            throw new IllegalArgumentException("returned at " + returned + ", before it was invoked at " + invoked);
        }
    }

    public String key() {
        return request.key();
    }

    /** Whether it is a read that was answered. */
    public boolean isAnsweredRead() {
        return request.isRead() && answer.isOk();
    }

    /** Whether it is a write or deletion that was acknowledged. */
    public boolean isAcknowledgedWrite() {
        return !request.isRead() && answer.isOk();
    }

    /** Whether it tells what there was, and changed nothing: a read that was answered, or a write whose condition did not hold. */
    public boolean isLook() {
        return isAnsweredRead() || answer.isRefused();
    }

    /** Whether it had ended when the other began. */
    public boolean precedes(Operation other) {
        return returned < other.invoked;
    }

    /** What was written or found, or null. */
    public @Nullable String value() {
        return request.isRead() ? answer.value() : request.value();
    }

    /** As a part of a sentence. */
    public String inWords() {
        return String.format(
                Locale.ROOT,
                "client %d's %s %d/%d through %s, %s to %s, %s",
                client,
                request.kind().name().toLowerCase(Locale.ROOT),
                request.ack(),
                request.from(),
                node,
                seconds(invoked),
                seconds(returned),
                result());
    }

    private String result() {
        String outcome = answer.outcome().name().toLowerCase(Locale.ROOT);
        String value = value() == null ? "" : " \"" + value() + "\"";
        String version = answer.version() == null ? "" : (answer.isRefused() ? " by @" : " @") + answer.version();
        return outcome + (value.isEmpty() && version.isEmpty() ? " with nothing" : value + version);
    }

    /** A time of a history for people. */
    public static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.6f s", nanos / NANOS_PER_SECOND);
    }
}
