package dev.kvorum.node.storage.rocks;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How far a {@link RewritingWalk} has come: the last entry that it has written down. Kept in the batch that changes the entry. */
final class RewritePosition {
    /** The note of it. */
    static final byte[] NOTE = "unfinished-position".getBytes(StandardCharsets.UTF_8);

    private static final byte[] NO_KEY = {};

    private final Part part;
    private final byte[] behind;

    /** @param behind the key of that entry in its part */
    RewritePosition(Part part, byte[] behind) {
        this.part = part;
        this.behind = behind;
    }

    /** What the walk goes through, in this order. */
    enum Part {
        CELLS,
        REGISTERS,
        HINTS,
        CLOCK
    }

    /** All is still to come. */
    static final RewritePosition FIRST = new RewritePosition(Part.CELLS, NO_KEY);

    /** Nothing is still to come. */
    static final RewritePosition LAST = new RewritePosition(Part.CLOCK, RocksStore.CLOCK);

    /** Whether all of a part was written down. */
    boolean isBehind(Part other) {
        return part.compareTo(other) > 0 || (part == Part.CLOCK && behind.length > 0);
    }

    /**
     * The least key that is still to come in a part that this position is not behind.
     *
     * @param first the least key of the part
     */
    byte[] nextIn(Part other, byte[] first) {
        return part == other && behind.length > 0 ? Arrays.copyOf(behind, behind.length + 1) : first;
    }

    byte[] bytes() {
        byte[] bytes = new byte[1 + behind.length];
        bytes[0] = (byte) part.ordinal();
        System.arraycopy(behind, 0, bytes, 1, behind.length);
        return bytes;
    }

    static RewritePosition of(byte[] bytes) {
        return new RewritePosition(Part.values()[bytes[0]], Arrays.copyOfRange(bytes, 1, bytes.length));
    }
}
