package dev.kvorum.node.verification;

import dev.kvorum.node.storage.MemberDirectory.Alive;
import java.time.Duration;

/**
 * How long a member has been alive without ever being away for longer than the grace period. It is alive while it runs and the topology names it.
 * Times are milliseconds since 1970 by its own clock.
 *
 * @param since when that began
 * @param last when it was last alive
 */
public record MemberLife(long since, long last) {
    /** As it was noted last. */
    public static MemberLife of(Alive noted) {
        return new MemberLife(noted.since(), noted.last());
    }

    /** The life of a node that starts now and has left this one. A clock that was set back ends none. */
    public MemberLife resumedAt(long now, Duration grace) {
        return isOver(now, grace) ? new MemberLife(now, now) : new MemberLife(Math.min(since, now), now);
    }

    /** Whether it has been away for longer than the grace period. */
    boolean isOver(long now, Duration grace) {
        return now - last > grace.toMillis();
    }
}
