package dev.kvorum.node.clock;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.topology.Member;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Compares this node's clock with those of the other members, each second, and tells the time of the majority: {@link #millis}. A node whose clock is further than
 * {@code kvorum.clock.ahead-max} from that takes no plain writes, so that somebody notices. When its clock is right again, it knows within two seconds.
 *
 * <p>What a majority has said counts until a majority says otherwise. A node that has never heard one goes by its own clock: it can't tell.
 *
 * <p>Source of the measurement: Cristian, "Probabilistic clock synchronization" (1989). Any thread.
 */
public final class ClockWatch implements AutoCloseable {
    static final Duration PERIOD = Duration.ofSeconds(1);
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long EXACT_MILLIS_MAX = 1_000;
    private static final long JITTER_MILLIS = 2; // Two clocks are not read at one moment.
    private static final int REPLY_BYTES = 2 * Long.BYTES;
    private static final long TIME_MAX = 1L << 48; // Versions have no room for more.
    private static final byte[] NOTHING = {};
    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

    private final SteadyClock clock;
    private final Membership membership;
    private final PeerCalls calls;
    private final Deadlines deadlines;
    private final long aheadMax;
    private final Map<String, Sight> sights = new ConcurrentSkipListMap<>();
    private long judgedAt; // Under the lock, as what follows.
    private volatile OptionalLong ahead =
            OptionalLong.empty(); // As a majority said last, whether it is heard now or not.
    private volatile boolean isHeard; // Whether a majority is heard now.
    private volatile OptionalLong wallAhead = OptionalLong.empty();
    private volatile long spread; // How far the clock of any member that is heard is from this one, at most.
    private volatile boolean skewed;
    private boolean apart; // As was said already.
    private volatile boolean closed;

    private record Sight(ClockReading reading, long at) {}

    /** @param aheadMax how far the clock may be from that of a majority */
    public ClockWatch(
            SteadyClock clock, Membership membership, PeerCalls calls, Deadlines deadlines, Duration aheadMax) {
        this.clock = clock;
        this.membership = membership;
        this.calls = calls;
        this.deadlines = deadlines;
        this.aheadMax = aheadMax.toMillis();
        this.judgedAt = deadlines.now();
    }

    /** Answers other members that compare their clocks with this one. */
    public void serve(CallHandlers handlers) {
        handlers.on(PeerOperation.CLOCK, (body, epoch) -> {
            long millis = clock.millis();
            byte[] reply = ByteBuffer.allocate(REPLY_BYTES)
                    .putLong(millis)
                    .putLong(millis + clock.step())
                    .array();
            return Mono.just(new CallReply.Done(reply));
        });
    }

    /** Begins to compare, now and each second. */
    public void start() {
        var _ = Mono.defer(this::compare)
                .onErrorResume(bug -> {
                    LOG.error("A comparison of clocks ended in an error that nobody expected; the next follows", bug);
                    return Mono.empty();
                })
                .then(Mono.defer(() -> deadlines.after(PERIOD.toNanos())))
                .repeat(() -> !closed)
                .subscribe();
    }

    /** Compares once. Completes when every other member has answered or failed, after a second at the latest. */
    public Mono<Void> compare() {
        ClusterView view = membership.view();
        return Flux.fromIterable(view.peers())
                .flatMap(member -> Mono.firstWithSignal(
                        ask(member, view.epoch()),
                        deadlines.after(PERIOD.toNanos()).then()))
                .then(Mono.fromRunnable(this::judge));
    }

    private Mono<Void> ask(Member member, long epoch) {
        return Mono.defer(() -> {
            long sentNanos = deadlines.now();
            long sentMillis = clock.millis();
            return calls.call(member, PeerOperation.CLOCK, epoch, NOTHING)
                    .doOnNext(reply -> {
                        if (reply instanceof CallReply.Done done && done.body().length >= REPLY_BYTES) {
                            see(member.id(), sentNanos, sentMillis, ByteBuffer.wrap(done.body()));
                        }
                    })
                    .then();
        });
    }

    /** The other clock was read at some time between the sending and now: most likely half-way, and not further from that than half the time. */
    private void see(String member, long sentNanos, long sentMillis, ByteBuffer reply) {
        long now = deadlines.now();
        long took = now - sentNanos;
        long steady = reply.getLong();
        long wall = reply.getLong();
        if (took > PERIOD.toNanos() || !isTime(steady) || !isTime(wall)) {
            return; // This process or the other stood still, or it says what can't be.
        }
        long half = Duration.ofNanos(took).toMillis() / 2;
        long then = sentMillis + half;
        sights.put(member, new Sight(new ClockReading(steady - then, wall - then, half + 1), now));
    }

    private static boolean isTime(long millis) {
        return millis > 0 && millis < TIME_MAX;
    }

    private synchronized void judge() {
        long now = deadlines.now();
        ClusterView view = membership.view();
        Set<String> peers = view.peers().stream().map(Member::id).collect(Collectors.toSet());
        sights.entrySet().removeIf(sight -> !peers.contains(sight.getKey()) || now - sight.getValue().at > FRESH_NANOS);
        long step = clock.step();
        ClockVerdict verdict = ClockVerdict.of(
                peers.size() + 1,
                step,
                new ClockVerdict.Limits(Math.min(EXACT_MILLIS_MAX, aheadMax / 4), aheadMax),
                sights.values().stream().map(Sight::reading).toList());
        long elapsed = Duration.ofNanos(now - judgedAt).toMillis();
        judgedAt = now;
        wallAhead = verdict.wallAhead();
        spread = sights.values().stream()
                .mapToLong(sight -> Math.abs(sight.reading.steadyAhead()))
                .max()
                .orElse(0);
        boolean adopts = verdict.step() == ClockVerdict.Step.ADOPT && Math.abs(step) > JITTER_MILLIS;
        tell(verdict.ahead(), adopts ? step : 0);
        if (adopts) {
            adopt(step);
        } else if (verdict.step() == ClockVerdict.Step.APPROACH) {
            clock.approachStep(elapsed);
        }
    }

    private void adopt(long step) {
        if (Math.abs(step) > aheadMax) {
            LOG.info("The wall clock was set by {} ms, and most members agree with it: it is taken over", step);
        }
        clock.adoptStep();
        sights.clear(); // They compare with what the clock was.
    }

    /** @param step how far this node's clock is about to be set ahead: so much less the others are ahead of it */
    private void tell(OptionalLong majorityAhead, long step) {
        isHeard = majorityAhead.isPresent();
        if (!isHeard) {
            tellApart();
            return; // What a majority has said before still counts.
        }
        apart = false;
        long off = majorityAhead.getAsLong() - step;
        ahead = OptionalLong.of(off);
        // Not back and forth where it is about as far as may be.
        boolean tooFar = Math.abs(off) > (skewed ? aheadMax - aheadMax / 10 : aheadMax);
        if (tooFar == skewed) {
            return;
        }
        skewed = tooFar;
        if (tooFar) {
            LOG.warn(
                    "The clock of this node is wrong: {}, by the clocks of most members. It takes no plain writes of clients until the clock"
                            + " is right: look at its time server (NTP)",
                    skew().map(ClockSkew::inWords).orElse("too far off"));
        } else {
            LOG.info("The clock of this node agrees with those of most members again");
        }
    }

    /** Without a majority nobody knows which of two clocks is right. */
    private void tellApart() {
        if (spread > aheadMax && !apart) {
            apart = true;
            LOG.warn(
                    "The clocks of this node and of another member differ by {} ms, and no majority says which is right."
                            + " Writes that need both fail: look at the time servers (NTP) of both",
                    spread);
        }
    }

    /** What is wrong with this node's clock; empty while nothing is, or no majority is heard. */
    public Optional<ClockSkew> skew() {
        OptionalLong majorityAhead = ahead;
        if (!skewed || majorityAhead.isEmpty()) {
            return Optional.empty();
        }
        long own = clock.millis();
        return Optional.of(
                new ClockSkew(Instant.ofEpochMilli(own), Instant.ofEpochMilli(own + majorityAhead.getAsLong())));
    }

    /** Whether this node's clock is too far from that of a majority. Costs one read of memory. */
    public boolean isSkewed() {
        return skewed;
    }

    /**
     * The time that versions are made of and judged by, in milliseconds since 1970: that of the majority, as far as it is known. So nodes whose clocks differ by less than is
     * tolerated stamp alike, and a node whose clock is wrong judges others rightly.
     */
    public long millis() {
        return clock.millis() + ahead.orElse(0);
    }

    /** How far the majority's clocks were ahead of this node's when they were last heard, in milliseconds; 0 if they never were. */
    public long majorityAhead() {
        return ahead.orElse(0);
    }

    /** How far this node's steady clock is ahead of a majority's, in seconds; NaN where no majority is heard. */
    double offsetSeconds() {
        return isHeard ? seconds(ahead) : Double.NaN;
    }

    /** How far the clock of any member that is heard is from this node's, at most, in seconds. */
    double spreadSeconds() {
        return spread / 1000.0;
    }

    /** The same of the wall clock. */
    double wallOffsetSeconds() {
        return seconds(wallAhead);
    }

    private static double seconds(OptionalLong majorityAhead) {
        return majorityAhead.isPresent() ? -majorityAhead.getAsLong() / 1000.0 : Double.NaN;
    }

    @Override
    public void close() {
        closed = true;
    }
}
