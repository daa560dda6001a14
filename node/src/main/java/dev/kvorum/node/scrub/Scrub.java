package dev.kvorum.node.scrub;

import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.copy.Pace;
import dev.kvorum.node.repair.Nap;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Walks through all that this node stores, once per {@code kvorum.repair.scrub-interval} and on demand, at a bounded rate. What it finds goes the way of what a read finds: the partition of
 * a damaged cell is rebuilt from the other members, and a damaged file makes the node unready.
 *
 * <p>A walk is completed when it has read all. What it could not read it tries again after {@value #RETRY_SECONDS_MIN} s, and twice as long each time, up to {@value #RETRY_SECONDS_MAX} s. When
 * an interval is over all is read anew.
 *
 * <p>How far it is survives a restart. A walk begins three quarters of an interval after the last one or later, by chance, so that not all members read at a time.
 *
 * <p>Any thread may call it; nothing blocks the caller.
 */
public final class Scrub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);
    private static final String NOTE = "scrub";
    private static final long NOTE_NANOS =
            TimeUnit.SECONDS.toNanos(10); // At most so much is read again after a restart.
    private static final long PAUSE_NANOS_MAX = TimeUnit.MINUTES.toNanos(10); // A clock may be set meanwhile.
    private static final long ERROR_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final double EARLIEST = 0.75; // Of the interval.
    static final int RETRY_SECONDS_MIN = 60;
    static final int RETRY_SECONDS_MAX = 3600;

    private final ScrubParts parts;
    private final RepairSettings settings;
    private final ScrubMetrics metrics;
    private final Pace pace;
    private final Nap nap;
    private final AheadCells ahead = new AheadCells();
    private final AtomicBoolean wanted = new AtomicBoolean();
    private final double share; // Of the interval, after which this life of the node begins its walks.
    private volatile ScrubPosition position;
    private volatile boolean walking;
    private volatile @Nullable ScrubWalk walk; // The present one, or the last.
    private volatile @Nullable Disposable loop;
    private long notedAt;
    private long walkingSince; // In this life of the node.
    private int tries; // To read what the present walk could not.
    private volatile long retryAt; // At once in a new life of the node.

    public Scrub(ScrubParts parts, RepairSettings settings, ScrubMetrics metrics) {
        this.parts = parts;
        this.settings = settings;
        this.metrics = metrics;
        this.pace =
                new Pace(settings.scrubRate().toBytes(), parts.backpressure().restPerKib(), parts.deadlines());
        this.nap = new Nap(parts.deadlines());
        this.share = EARLIEST + (1 - EARLIEST) * parts.random().nextDouble();
        this.position = ScrubPosition.first(parts.millis().getAsLong());
        metrics.watch(this);
    }

    /** Begins to work. Once. */
    public void start() {
        loop = load().then(Mono.defer(() -> Mono.defer(this::step).repeat().then()))
                .subscribe();
    }

    private Mono<Void> load() {
        return parts.notes()
                .note(NOTE)
                .doOnNext(note -> ScrubPosition.decode(note)
                        .ifPresentOrElse(
                                known -> position = known,
                                () -> LOG.warn("How far the last scrub was is noted in a form that is not known")))
                .hasElement()
                .flatMap(noted -> noted ? Mono.empty() : save())
                .onErrorResume(e -> {
                    LOG.warn("How far the last scrub was can't be read: the next one begins anew", e);
                    return Mono.empty();
                });
    }

    /**
     * Begins a walk as soon as there is none, whatever the schedule says. One that waits to read again what it could not is given up.
     *
     * @return false if one is under way: it goes on
     */
    public boolean begin() {
        if (walking) {
            return false;
        }
        wanted.set(true);
        nap.end();
        return true;
    }

    public ScrubStatus status() {
        ScrubWalk present = walk;
        ScrubPosition now = position;
        return new ScrubStatus(
                walking,
                walking && present != null ? present.progress() : 0,
                now.completed() ? now.since() : null,
                (present == null ? now.found() : present.found()).withUnread(unread(now)),
                ahead.counted());
    }

    /** The list of files counts as one part: without it nobody knows how many are unread. */
    private int unread(ScrubPosition now) {
        boolean lacksList =
                !walking && retryAt > 0 && now.isWalking() && !now.place().isThrough();
        return now.place().unread() + (lacksList ? 1 : 0);
    }

    /** How long ago the last walk was completed, in seconds; since the first life of this node that scrubs, if none was. */
    double ageSeconds() {
        return Math.max(0, parts.millis().getAsLong() - position.since()) / 1000.0;
    }

    private Mono<Void> step() {
        return Mono.defer(() -> isDue() ? walk() : nap.take(pauseNanos(), this::isDue))
                .onErrorResume(e -> {
                    walking = false;
                    LOG.error("A scrub ended in an error that nobody expected; it is begun again", e);
                    return parts.deadlines().after(ERROR_PAUSE_NANOS);
                });
    }

    private boolean isDue() {
        return wanted.get() || dueInNanos() <= 0;
    }

    private long dueInNanos() {
        ScrubPosition now = position;
        if (!now.isWalking()) {
            return dueInNanos(now.since());
        }
        long again = retryAt - parts.deadlines().now();
        return now.place().isThrough() ? Math.min(again, dueInNanos(now.begun())) : again;
    }

    /**
     * When the next walk is due. By a clock that was set back, the last one lies ahead: then one is due.
     *
     * @param last when the last one was, in milliseconds since 1970
     */
    private long dueInNanos(long last) {
        long sinceMillis = parts.millis().getAsLong() - last;
        Duration interval = settings.scrubInterval();
        if (interval.isZero()) {
            return Long.MAX_VALUE;
        }
        return sinceMillis < 0 ? 0 : TimeUnit.MILLISECONDS.toNanos((long) (share * interval.toMillis()) - sinceMillis);
    }

    private long pauseNanos() {
        return Math.min(PAUSE_NANOS_MAX, dueInNanos());
    }

    private Mono<Void> walk() {
        walking = true;
        ScrubWalk next = walk;
        if (wanted.getAndSet(false) || !position.isWalking() || isOver()) {
            position = position.beginning(parts.millis().getAsLong());
            next = null;
        }
        if (next == null) {
            next = new ScrubWalk(parts, pace, ahead, metrics, new Noting());
            walkingSince = parts.deadlines().now();
            tries = 0;
            retryAt = 0;
            walk = next;
        }
        ScrubWalk present = next;
        return present.carryOut().then(Mono.defer(() -> position.isWhole() ? ended(present) : incomplete()));
    }

    /** What could not be read all the time keeps nothing else from being read once per interval. */
    private boolean isOver() {
        return position.place().isThrough() && dueInNanos(position.begun()) <= 0;
    }

    private Mono<Void> ended(ScrubWalk done) {
        position = position.ended(parts.millis().getAsLong());
        walking = false;
        ScrubFindings found = done.found();
        long seconds = TimeUnit.NANOSECONDS.toSeconds(parts.deadlines().now() - walkingSince);
        if (found.areBad()) {
            LOG.warn(
                    "A scrub has read {} cells and {} files, {} bytes, the last of them in {} s: {} cells and {} files are damaged."
                            + " The partitions of damaged cells are rebuilt from the other members. Check the disk and the memory",
                    found.cells(),
                    found.files(),
                    found.bytes(),
                    seconds,
                    found.damagedCells(),
                    found.damagedFiles());
        } else {
            LOG.info(
                    "A scrub has read {} cells and {} files, {} bytes, the last of them in {} s: none is damaged",
                    found.cells(),
                    found.files(),
                    found.bytes(),
                    seconds);
        }
        return save();
    }

    private Mono<Void> incomplete() {
        int doublings = Math.min(tries++, Integer.SIZE / 2);
        long seconds = Math.min((long) RETRY_SECONDS_MIN << doublings, RETRY_SECONDS_MAX);
        retryAt = parts.deadlines().now() + TimeUnit.SECONDS.toNanos(seconds);
        walking = false;
        if (tries == 1) {
            LOG.warn(
                    "A scrub could not read {} partitions and files. It tries that again, in {} s first, and is not completed before. See whether the disk works",
                    unread(position),
                    seconds);
        }
        return save();
    }

    private Mono<Void> save() {
        notedAt = parts.deadlines().now();
        return parts.notes().note(NOTE, position.encode()).onErrorResume(e -> {
            LOG.debug("How far the scrub is could not be noted: after a restart an older note counts", e);
            return Mono.empty();
        });
    }

    /** Where the walk is; noted from time to time. One step at a time. */
    private final class Noting implements ScrubWalk.Notes {
        @Override
        public ScrubPosition now() {
            return position;
        }

        @Override
        public Mono<Void> become(UnaryOperator<ScrubPosition> next) {
            position = next.apply(position);
            return parts.deadlines().now() - notedAt < NOTE_NANOS ? Mono.empty() : save();
        }
    }

    /** Ends the walk that is under way, at once: the next life goes on with it. */
    @Override
    public void close() {
        Disposable running = loop;
        if (running != null) {
            running.dispose();
        }
    }
}
