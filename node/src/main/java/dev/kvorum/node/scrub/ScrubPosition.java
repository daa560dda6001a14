package dev.kvorum.node.scrub;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * How far the scrubs of this node are. It is noted, so that a node that is started again each day gets to the end of its data.
 *
 * @param since when the last walk was completed, or if none was, when the first life of this node that scrubs began; in milliseconds since 1970
 * @param completed whether a walk was
 * @param begun when the present walk began, in milliseconds since 1970; 0 if there is none
 * @param place how far the present walk is
 * @param found what it has found in all that it has read to its end, or the last walk if there is none
 */
record ScrubPosition(long since, boolean completed, long begun, ScrubPlace place, ScrubFindings found) {
    private static final int BYTES_MIN = 2 * Long.BYTES + 1 + ScrubFindings.BYTES;

    /** Of a node that has never scrubbed. */
    static ScrubPosition first(long now) {
        return new ScrubPosition(now, false, 0, ScrubPlace.BEGINNING, ScrubFindings.NONE);
    }

    /** A walk begins. */
    ScrubPosition beginning(long now) {
        return new ScrubPosition(since, completed, now, ScrubPlace.BEGINNING, ScrubFindings.NONE);
    }

    boolean isWalking() {
        return begun != 0;
    }

    /** The walk has got on. */
    ScrubPosition at(ScrubPlace next, ScrubFindings more) {
        return new ScrubPosition(since, completed, begun, next, found.plus(more));
    }

    /** Whether the walk has read all. */
    boolean isWhole() {
        return place.isThrough() && place.unread() == 0;
    }

    /** The walk has read all. */
    ScrubPosition ended(long now) {
        return new ScrubPosition(now, true, 0, ScrubPlace.BEGINNING, found);
    }

    byte[] encode() {
        ByteBuffer note = ByteBuffer.allocate(BYTES_MIN + place.encodedBytes())
                .putLong(since)
                .put((byte) (completed ? 1 : 0))
                .putLong(begun);
        found.encode(note);
        place.encode(note);
        return note.array();
    }

    /** Empty where it is noted in a form that is not known. */
    static Optional<ScrubPosition> decode(byte[] note) {
        if (note.length < BYTES_MIN) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(note);
        try {
            long since = in.getLong();
            boolean completed = in.get() == 1;
            long begun = in.getLong();
            ScrubFindings found = ScrubFindings.decode(in);
            return Optional.of(new ScrubPosition(since, completed, begun, ScrubPlace.decode(in), found));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
