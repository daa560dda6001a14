package dev.kvorum.node.core;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.storage.MemberDirectory.Alive;
import dev.kvorum.node.verification.MemberLife;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** Notes in the directory that this member is alive, as long as it is: at most a minute is missing when it dies. */
final class LifeKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LifeKeeper.class);
    static final Duration PERIOD_MAX = Duration.ofMinutes(1);
    private static final int NOTES_PER_GRACE = 10;
    private static final long NEVER = Long.MIN_VALUE;

    private final MemberDirectory directory;
    private final Membership membership;
    private final LongSupplier wallMillis;
    private final Optional<Alive> noted;
    private final long before;
    private final long graceMillis;
    private final Disposable noting;
    private volatile long since;
    private volatile long lastMember;
    private boolean failing;

    /**
     * Begins with a note.
     *
     * @param grace how long deletions are kept: a member that was away for longer begins its life anew
     * @param wallMillis milliseconds since 1970
     * @param background runs what may block
     */
    LifeKeeper(
            MemberDirectory directory,
            Membership membership,
            Duration grace,
            LongSupplier wallMillis,
            Scheduler background) {
        this.directory = directory;
        this.membership = membership;
        this.wallMillis = wallMillis;
        this.graceMillis = grace.toMillis();
        long now = wallMillis.getAsLong();
        this.noted = directory.lastAlive();
        this.before = noted.map(Alive::last).orElse(now);
        this.since = resumedAt(now);
        this.lastMember = noted.map(Alive::last)
                .filter(last -> last >= directory.created()) // Else nothing is left of what it held then.
                .orElse(NEVER);
        long period = Math.min(PERIOD_MAX.toMillis(), graceMillis / NOTES_PER_GRACE);
        this.noting = background.schedulePeriodically(this::note, 0, period, TimeUnit.MILLISECONDS);
    }

    private long resumedAt(long now) {
        return noted.map(alive -> MemberLife.of(alive).resumedAt(now, Duration.ofMillis(graceMillis)))
                .orElse(new MemberLife(now, now))
                .since();
    }

    /** As {@link MemberLife#since}. */
    long since() {
        return since;
    }

    /** When its former life was last noted; if there was none, when this one began. */
    long before() {
        return before;
    }

    /** How long ago this node was a member last with the data that it has, in milliseconds; 0 if it is one, or never was. */
    long awayMillis() {
        long last = lastMember;
        return membership.view().hasSelf() || last == NEVER ? 0 : Math.max(0, wallMillis.getAsLong() - last);
    }

    /** How long deletions are kept at least, in milliseconds. */
    long graceMillis() {
        return graceMillis;
    }

    /** A member that the topology does not name gets no writes: that is no life. */
    private synchronized void note() {
        if (!membership.view().hasSelf()) {
            return;
        }
        long now = wallMillis.getAsLong();
        if (since > now) { // It began by a clock that was ahead.
            since = Math.min(resumedAt(now), now);
        }
        if (lastMember != NEVER && now - lastMember > graceMillis) {
            since = now; // It has run, but as no member: it is no witness of that time.
        }
        lastMember = now;
        try {
            directory.noteAlive(new Alive(since, now));
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                LOG.error("That this member is alive can't be noted; no more is logged of it", e);
            }
            failing = true;
        }
    }

    @Override
    public void close() {
        noting.dispose();
        note();
    }
}
