package dev.kvorum.node.cell;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Issues versions: the wall clock's time, or the next count after the newest version seen, whichever is later. So no
 * version is ever issued twice, or below one that this node has seen, whatever the wall clock does.
 *
 * <p>Any thread may call it; no call blocks.
 */
public final class HybridClock {
    private final LongSupplier wallMillis;
    private final long author;
    private final long aheadMax;
    private final AtomicLong last;

    /**
     * @param wallMillis milliseconds since 1970
     * @param author stands for this life of this node in the versions it issues
     * @param aheadMax how far ahead of the wall clock a remote version may be
     * @param floor a hybrid time below which nothing is issued: the newest of this node's former life, or 0
     */
    public HybridClock(LongSupplier wallMillis, long author, Duration aheadMax, long floor) {
        this.wallMillis = wallMillis;
        this.author = author;
        this.aheadMax = aheadMax.toMillis() << Version.COUNTER_BITS;
        this.last = new AtomicLong(floor);
    }

    /** A version above all that this clock has issued or observed. */
    public Version next() {
        long wall = wall();
        return new Version(last.updateAndGet(before -> Math.max(before + 1, wall)), author);
    }

    /**
     * Takes note of a version from elsewhere.
     *
     * @return false if it is too far ahead of the wall clock; then it is not adopted, and its cell must be refused
     */
    public boolean observe(Version version) {
        long seen = version.hybridTime();
        if (seen <= last.get()) {
            return true;
        }
        if (isTooFarAhead(version)) {
            return false;
        }
        last.accumulateAndGet(seen, Math::max);
        return true;
    }

    /** Whether a version is too far ahead of the wall clock, though this clock may have observed or issued it. */
    public boolean isTooFarAhead(Version version) {
        return version.hybridTime() - wall() > aheadMax;
    }

    /**
     * A version above all that this clock has issued or observed, by so much: where another's writes come first again and again, this one's comes before the next.
     *
     * @param millis above 0; at most a quarter of what a version may be ahead counts
     */
    public Version next(long millis) {
        long margin = Math.min(millis << Version.COUNTER_BITS, aheadMax / 4);
        long wall = wall();
        return new Version(last.updateAndGet(before -> Math.max(before + margin, wall)), author);
    }

    /** Whether what this clock issues is too far ahead of its wall clock: that was wrong, and other nodes refuse the versions until their time has come. */
    public boolean isTooFarAhead() {
        return last.get() - wall() > aheadMax;
    }

    /** The newest hybrid time issued or observed; what a next life of this node must begin above. */
    public long newest() {
        return last.get();
    }

    /** How far the newest version issued or observed is ahead of the wall clock; negative if it is behind. */
    public Duration lead() {
        return Duration.ofMillis((last.get() >>> Version.COUNTER_BITS) - wallMillis.getAsLong());
    }

    /**
     * The floor for a next life of a node that noted its newest time at every such interval, and lastly this one, or 0. What it issued after
     * its last note lies within the next two intervals. Not covered is what it saw from clocks ahead of its own just before it was killed;
     * their lead is bounded, and gone once the node has been down for as long.
     */
    public static long floorAbove(long noted, Duration interval) {
        return noted == 0 ? 0 : noted + ((2 * interval.toMillis()) << Version.COUNTER_BITS);
    }

    private long wall() {
        return wallMillis.getAsLong() << Version.COUNTER_BITS;
    }
}
