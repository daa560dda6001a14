package dev.kvorum.node.clock;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Member;
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

/**
 * Compares this node's clock with those of the other members, which each heartbeat brings, and tells the time of the majority: {@link #millis}. A node whose clock is further than
 * {@code kvorum.clock.ahead-max} from that takes no plain writes, so that somebody notices. When its clock is right again, it knows within two seconds.
 *
 * <p>What a majority has said counts until a majority says otherwise. A node that has never heard one goes by its own clock: it can't tell.
 *
 * <p>Source of the measurement: Cristian, "Probabilistic clock synchronization" (1989). Any thread.
 */
public final class ClockWatch {
    private static final long ANSWER_NANOS_MAX = Duration.ofSeconds(1).toNanos();
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long EXACT_MILLIS_MAX = 1_000;
    private static final long JITTER_MILLIS = 2; // Two clocks are not read at one moment.
    private static final long TIME_MAX = 1L << 48; // Versions have no room for more.
    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

    private final SteadyClock clock;
    private final Membership membership;
    private final Deadlines deadlines;
    private final long aheadMax;
    private final Map<String, Sight> sights = new ConcurrentSkipListMap<>();
    private long judgedAt; // Under the lock, as what follows.
    private volatile boolean isHeard; // Whether a majority is heard now.
    private volatile OptionalLong wallAhead = OptionalLong.empty();
    private volatile long spread; // How far the clock of any member that is heard is from this one, at most.
    private volatile boolean skewed;
    private boolean apart; // As was said already.

    private record Sight(ClockReading reading, long at) {}

    /** @param aheadMax how far the clock may be from that of a majority */
    public ClockWatch(SteadyClock clock, Membership membership, Deadlines deadlines, Duration aheadMax) {
        this.clock = clock;
        this.membership = membership;
        this.deadlines = deadlines;
        this.aheadMax = aheadMax.toMillis();
        this.judgedAt = deadlines.now();
    }

    /** The time of this node's steady clock, as it tells other members, in milliseconds since 1970. */
    public long steadyMillis() {
        return clock.millis();
    }

    /** The same of its wall clock. */
    public long wallMillis() {
        return clock.millis() + clock.step();
    }

    /**
     * Another member is about to be asked for its time.
     *
     * @param nanos the monotonic clock
     * @param millis this node's steady clock
     */
    public record Question(long nanos, long millis) {}

    public Question question() {
        return new Question(deadlines.now(), clock.millis());
    }

    /**
     * Another member has answered. Its clock was read at some time between the question and now: most likely half-way, and not further from that than half the time.
     *
     * @param steady milliseconds since 1970 by its steady clock
     * @param wall the same by its wall clock
     */
    public void see(String member, Question question, long steady, long wall) {
        long now = deadlines.now();
        long took = now - question.nanos;
        if (took > ANSWER_NANOS_MAX || !isTime(steady) || !isTime(wall)) {
            return; // This process or the other stood still, or it says what can't be.
        }
        long half = Duration.ofNanos(took).toMillis() / 2;
        long then = question.millis + half;
        sights.put(member, new Sight(new ClockReading(steady - then, wall - then, half + 1), now));
    }

    private static boolean isTime(long millis) {
        return millis > 0 && millis < TIME_MAX;
    }

    /** Judges by what was seen of late; each second. */
    public synchronized void judge() {
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
        verdict.ahead().ifPresent(clock::agree); // Else what a majority has said before still counts.
        if (verdict.step() == ClockVerdict.Step.ADOPT && Math.abs(step) > JITTER_MILLIS) {
            adopt(step);
        } else if (verdict.step() == ClockVerdict.Step.APPROACH) {
            clock.approachStep(elapsed);
        }
        isHeard = verdict.ahead().isPresent();
        if (isHeard) {
            apart = false;
        } else {
            tellApart();
        }
        clock.ahead().ifPresent(this::tellSkew);
    }

    private void adopt(long step) {
        clock.adoptStep();
        sights.clear(); // They compare with what the clock was.
        if (Math.abs(step) > aheadMax) {
            LOG.info("The wall clock was set by {} ms, and most members agree with it: it is taken over", step);
        }
    }

    private void tellSkew(long off) {
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
        OptionalLong majorityAhead = clock.ahead();
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
        return clock.agreedMillis();
    }

    /** How far the majority's clocks were ahead of this node's when they were last heard, in milliseconds; 0 if they never were. */
    public long majorityAhead() {
        return clock.ahead().orElse(0);
    }

    /** How far this node's steady clock is ahead of a majority's, in seconds; NaN where no majority is heard. */
    double offsetSeconds() {
        return isHeard ? seconds(clock.ahead()) : Double.NaN;
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
}
