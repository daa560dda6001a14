package dev.kvorum.node.cell;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * When a cell was written, and by which coordinator. Of two versions the later hybrid time is the newer; where the
 * times are equal, the author's number decides, arbitrarily but for all nodes alike.
 *
 * <p>Source: Kulkarni et al., "Logical physical clocks" (2014).
 *
 * @param hybridTime 48 bits of milliseconds since 1970, then 16 bits of counter; positive
 * @param author a number that stands for the coordinator's id and life: no two lives issue the same version
 */
public record Version(long hybridTime, long author) implements Comparable<Version> {
    /** Below all that are issued: stands for a key under which there is nothing. */
    public static final Version NONE = new Version(0, 0);

    /** Bits of a hybrid time that count within a millisecond. */
    public static final int COUNTER_BITS = 16;

    /** Milliseconds since 1970 by the author's clock. */
    public long millis() {
        return hybridTime >>> COUNTER_BITS;
    }

    public boolean isAbove(Version other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(Version other) {
        int byTime = Long.compareUnsigned(hybridTime, other.hybridTime);
        return byTime != 0 ? byTime : Long.compareUnsigned(author, other.author);
    }

    /** 32 hexadecimal digits, whose order is the order of versions. */
    @Override
    public String toString() {
        byte[] bytes = new byte[2 * Long.BYTES];
        ByteBuffer.wrap(bytes).putLong(hybridTime).putLong(author);
        return HexFormat.of().formatHex(bytes);
    }
}
