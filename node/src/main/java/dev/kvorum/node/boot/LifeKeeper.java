package dev.kvorum.node.boot;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.MemberLife;
import dev.kvorum.node.storage.DataDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/** Notes in the data directory that this member is alive, as long as it is: at most a minute is missing when it dies. */
final class LifeKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LifeKeeper.class);
    private static final Duration PERIOD_MAX = Duration.ofMinutes(1);
    private static final int NOTES_PER_GRACE = 10;
    private static final long NEVER = Long.MIN_VALUE;

    private final DataDirectory directory;
    private final Membership membership;
    private final long before;
    private final long graceMillis;
    private final Disposable noting;
    private volatile long since;
    private volatile long lastMember;
    private boolean failing;

    /**
     * @param life as it begins
     * @param before when it was last noted that it was alive, in milliseconds since 1970
     */
    LifeKeeper(DataDirectory directory, Membership membership, MemberLife life, long before, Duration grace) {
        this.directory = directory;
        this.membership = membership;
        this.since = life.since();
        this.before = before;
        this.graceMillis = grace.toMillis();
        this.lastMember = directory
                .lastAlive()
                .map(DataDirectory.Alive::last)
                .filter(last -> last >= directory.created()) // Else nothing is left of what it held then.
                .orElse(NEVER);
        long period = Math.min(PERIOD_MAX.toMillis(), grace.toMillis() / NOTES_PER_GRACE);
        this.noting = Schedulers.boundedElastic().schedulePeriodically(this::note, 0, period, TimeUnit.MILLISECONDS);
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
        return membership.view().hasSelf() || last == NEVER ? 0 : Math.max(0, System.currentTimeMillis() - last);
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
        long now = System.currentTimeMillis();
        if (lastMember != NEVER && now - lastMember > graceMillis) {
            since = now; // It has run, but as no member: it is no witness of that time.
        }
        lastMember = now;
        try {
            directory.noteAlive(new DataDirectory.Alive(since, now));
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
