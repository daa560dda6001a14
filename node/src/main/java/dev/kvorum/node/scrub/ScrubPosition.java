package dev.kvorum.node.scrub;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * How far the scrubs of this node are. It is noted, so that a node that is started again each day gets to the end of its data.
 *
 * @param since when the last walk was completed, or if none was, when the first life of this node that scrubs began; in milliseconds since 1970
 * @param completed whether a walk was
 * @param begun when the present walk began, in milliseconds since 1970; 0 if there is none
 * @param partition the first whose cells are not checked yet
 * @param file the number of the last file that is checked; 0 if none is
 */
record ScrubPosition(long since, boolean completed, long begun, int partition, long file) {
    private static final int BYTES = 3 * Long.BYTES + Integer.BYTES + 1;

    /** Of a node that has never scrubbed. */
    static ScrubPosition first(long now) {
        return new ScrubPosition(now, false, 0, 0, 0);
    }

    /** A walk begins. */
    ScrubPosition beginning(long now) {
        return new ScrubPosition(since, completed, now, 0, 0);
    }

    boolean isWalking() {
        return begun != 0;
    }

    ScrubPosition behindPartition(int checked) {
        return new ScrubPosition(since, completed, begun, checked + 1, file);
    }

    ScrubPosition behindFile(long checked) {
        return new ScrubPosition(since, completed, begun, partition, checked);
    }

    /** The walk has come to its end. */
    ScrubPosition ended(long now) {
        return new ScrubPosition(now, true, 0, 0, 0);
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(since)
                .put((byte) (completed ? 1 : 0))
                .putLong(begun)
                .putInt(partition)
                .putLong(file)
                .array();
    }

    /** Empty where it is noted in a form that is not known. */
    static Optional<ScrubPosition> decode(byte[] note) {
        if (note.length != BYTES) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(note);
        return Optional.of(new ScrubPosition(in.getLong(), in.get() == 1, in.getLong(), in.getInt(), in.getLong()));
    }
}
