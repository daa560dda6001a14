package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The newest version that this node has acknowledged, for each of {@value #STRIPES} stripes of keys. A fresh write at or below its floor may follow a write that
 * was acknowledged before it began: its coordinator has to stamp it anew. So the later of two writes wins, whatever the clocks of their coordinators say.
 *
 * <p>Keys share a stripe. Then a write is stamped anew without need, which costs a round trip and nothing else.
 *
 * <p>Any thread. It takes {@code 16 * STRIPES} bytes, and a lock that is held for a few nanoseconds.
 */
public final class Floors {
    static final int STRIPES = 1 << 16;

    private static final int LOCKS = 256;

    private final long[] times = new long[STRIPES];
    private final long[] authors = new long[STRIPES];
    private final Object[] locks =
            IntStream.range(0, LOCKS).mapToObj(i -> new Object()).toArray();

    private final LongSupplier forgottenMillis;

    /**
     * @param first a hybrid time at or above all that this node has acknowledged, as far as its disk knows; 0 if it knows of nothing
     * @param forgottenMillis the latest time of a version that this node has acknowledged and its disk knows nothing of, in milliseconds since 1970; 0 if there is none
     */
    public Floors(long first, LongSupplier forgottenMillis) {
        this.forgottenMillis = forgottenMillis;
        Arrays.fill(times, first);
        Arrays.fill(authors, first == 0 ? 0 : -1L); // The greatest, as authors are unsigned.
    }

    /** A version of that key is about to be acknowledged. */
    public void raise(Key key, Version version) {
        int stripe = stripe(key);
        synchronized (lock(stripe)) {
            if (version.isAbove(floor(stripe))) {
                times[stripe] = version.hybridTime();
                authors[stripe] = version.author();
            }
        }
    }

    /** Whether this node may have acknowledged newer versions than this one without knowing of them: its disk was lost. That passes with the time of new versions. */
    public boolean mayHaveForgotten(Version version) {
        long forgotten = forgottenMillis.getAsLong();
        return forgotten > 0 && version.millis() <= forgotten;
    }

    /** The newest version that was acknowledged in the stripe of that key; {@link Version#NONE} if there was none. */
    public Version of(Key key) {
        int stripe = stripe(key);
        synchronized (lock(stripe)) {
            return floor(stripe);
        }
    }

    private Version floor(int stripe) {
        return new Version(times[stripe], authors[stripe]);
    }

    private Object lock(int stripe) {
        return locks[stripe & (LOCKS - 1)];
    }

    private static int stripe(Key key) {
        int hash = key.hashCode() * 0x9E3779B9; // Spreads keys that differ in their last letters.
        return hash >>> 16;
    }
}
