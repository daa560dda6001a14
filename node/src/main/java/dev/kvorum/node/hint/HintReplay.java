package dev.kvorum.node.hint;

import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.topology.Member;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings hints to those they are for. About once a second it looks who is owed something, and lets go what has become too old; when a member
 * is trusted again it looks at once. Any thread.
 */
public final class HintReplay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HintReplay.class);
    private static final long LOOK = TimeUnit.SECONDS.toNanos(1);

    private final Hints hints;
    private final HintRoutes routes;
    private final HintSettings settings;
    private final Deadlines deadlines;
    private final LongSupplier wallMillis;
    private final DoubleSupplier chance;
    private final HintPace pace;
    private final Map<String, HintLane> lanes = new ConcurrentHashMap<>();
    private volatile boolean expiring;
    private volatile boolean keepsOld;
    private volatile boolean closed;

    /**
     * @param wallMillis milliseconds since 1970
     * @param chance numbers from 0 to below 1; any thread
     */
    public HintReplay(
            Hints hints,
            HintRoutes routes,
            HintSettings settings,
            Deadlines deadlines,
            LongSupplier wallMillis,
            DoubleSupplier chance) {
        this.hints = hints;
        this.routes = routes;
        this.settings = settings;
        this.deadlines = deadlines;
        this.wallMillis = wallMillis;
        this.chance = chance;
        this.pace = new HintPace(settings);
    }

    /** Begins to look. Once. */
    public void start() {
        lookAfter(0);
    }

    private void lookAfter(long nanos) {
        if (!closed) {
            var _ = deadlines.after(nanos).subscribe(nothing -> {}, HintReplay::unexpected, this::look);
        }
    }

    private void look() {
        lookAfter(
                (long) (LOOK * (0.75 + chance.getAsDouble() / 2))); // First: whatever goes wrong here, it looks again.
        openLanes();
        lanes.values().forEach(HintLane::poll);
        expire(oldestKept());
    }

    private void openLanes() {
        Set<String> members = new TreeSet<>(store().waiting().keySet()); // In order, so that chance alone is chance.
        routes.members().stream().map(Member::id).forEach(members::add);
        for (String member : members) {
            lanes.computeIfAbsent(member, id -> {
                metrics().watch(id);
                return new HintLane(this, id);
            });
        }
        for (String former : lanes.keySet()) {
            if (!members.contains(former)) {
                closeLane(former);
            }
        }
    }

    private void closeLane(String member) {
        HintLane lane = lanes.remove(member);
        if (lane != null) {
            lane.close();
            metrics().forget(member);
        }
    }

    private void expire(long oldest) {
        if (!expiring && store().waiting().values().stream().anyMatch(backlog -> isOlder(backlog, oldest))) {
            expiring = true;
            var _ = store().expire(oldest)
                    .doOnTerminate(() -> expiring = false)
                    .subscribe(this::expired, this::notExpired);
        }
    }

    /** Said once, until they can be: it is tried about every second. */
    private void notExpired(Throwable e) {
        if (!keepsOld) {
            LOG.warn("Old hints could not be removed; it is tried again, and no more logged of it until they are", e);
        }
        keepsOld = true;
    }

    private void expired(int count) {
        keepsOld = false;
        metrics().expired(count);
        if (count > 0) {
            expire(oldestKept()); // The store removes only so many at a time.
        }
    }

    private static boolean isOlder(HintBacklog backlog, long millis) {
        return backlog.oldestMillis() < millis;
    }

    /** A member has become trusted again. Quick, and calls nobody: it may come from a breaker, under its lock. */
    public void trusted(String member) {
        HintLane lane = lanes.get(member);
        if (lane != null && !closed) {
            var _ = deadlines.after(0).subscribe(nothing -> {}, HintReplay::unexpected, lane::wake);
        }
    }

    private static void unexpected(Throwable e) {
        LOG.error("Looking after hints ended in an error that nobody expected", e);
    }

    /** Begins no more batches; those under way end by themselves. */
    @Override
    public void close() {
        closed = true;
        lanes.values().forEach(HintLane::close);
    }

    /** Hints that were written before are not brought to anybody, in milliseconds since 1970. */
    long oldestKept() {
        return wallMillis.getAsLong() - settings.ageMax().toMillis();
    }

    int callsMax() {
        return settings.replayCalls();
    }

    HintStore store() {
        return hints.store();
    }

    HintRoutes routes() {
        return routes;
    }

    HintMetrics metrics() {
        return hints.metrics();
    }

    Deadlines deadlines() {
        return deadlines;
    }

    DoubleSupplier chance() {
        return chance;
    }

    HintPace pace() {
        return pace;
    }
}
