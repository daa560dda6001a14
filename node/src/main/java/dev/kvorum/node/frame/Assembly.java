package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts bodies together that come in several frames. What is refused on the way is forgotten, and the rest of it ignored.
 * Confined to one connection's event loop.
 */
final class Assembly {
    /** What came of a frame. */
    enum Progress {
        /** The body is whole: it can be taken. */
        WHOLE,
        /** More of it must come. */
        PARTIAL,
        /** It belongs to a body that was refused or dropped. */
        IGNORED,
        /** The body is longer than bodies may be. */
        TOO_LONG,
        /** There is no memory left for it: of the node's, or of this connection's share. */
        NO_ROOM
    }

    private final FrameLimits limits;
    private final IntObjectHashMap<Part> parts = new IntObjectHashMap<>(4);
    private long bytes;

    Assembly(FrameLimits limits) {
        this.limits = limits;
    }

    /**
     * Adds a frame's bytes to the body of its id.
     *
     * @param waitMillis how long the rest of a body that begins is waited for
     */
    Progress add(Frame frame, int waitMillis) {
        if (frame.isWholeMessage() && parts.isEmpty()) {
            return frame.body.readableBytes() > limits.bodyMax() ? Progress.TOO_LONG : Progress.WHOLE;
        }
        Part part = parts.get(frame.id);
        if (part == null && frame.isContinuation()) {
            return Progress.IGNORED;
        }
        if (part != null && !frame.isContinuation()) {
            throw new MalformedFrameException("body " + frame.id + " begins twice");
        }
        if (frame.body.readableBytes() + (part == null ? 0 : part.size()) > limits.bodyMax()) {
            drop(frame.id);
            return Progress.TOO_LONG;
        }
        return frame.isWholeMessage() ? Progress.WHOLE : append(frame, part, waitMillis);
    }

    private Progress append(Frame frame, @Nullable Part known, int waitMillis) {
        int length = frame.body.readableBytes();
        if (!take(length, known == null ? 0 : known.size())) {
            drop(frame.id);
            return Progress.NO_ROOM;
        }
        Part part =
                known == null ? new Part(Math.min(waitMillis, limits.restMax().toMillis())) : known;
        parts.put(frame.id, part);
        byte[] piece = new byte[length];
        frame.body.readBytes(piece);
        part.add(piece);
        return frame.hasMore() ? Progress.PARTIAL : Progress.WHOLE;
    }

    /**
     * One connection takes no more than its share, or it could take all there is and give nothing back. A body that is alone may be
     * longer than that.
     */
    private boolean take(int length, int ofSameBody) {
        boolean isBeyondShare = bytes > ofSameBody && bytes + length > limits.bytesMax();
        if (isBeyondShare || !limits.allowance().take(length)) {
            return false;
        }
        bytes += length;
        return true;
    }

    private void giveBack(Part part) {
        bytes -= part.size();
        limits.allowance().giveBack(part.size());
    }

    /** The body that a frame has made whole, good until the next frame. What it took of the allowance is given back. */
    ByteBuf take(Frame frame) {
        Part part = parts.isEmpty() ? null : parts.remove(frame.id);
        if (part == null) {
            return frame.body;
        }
        giveBack(part);
        return part.whole();
    }

    /** Forgets what came of a body. */
    void drop(int id) {
        Part part = parts.remove(id);
        if (part != null) {
            giveBack(part);
        }
    }

    /** Forgets the bodies whose rest did not come in time. */
    void dropLate(long nanos) {
        if (!parts.isEmpty()) {
            parts.entrySet().stream()
                    .filter(part -> nanos - part.getValue().waitEnd > 0)
                    .map(Map.Entry::getKey)
                    .toList()
                    .forEach(this::drop);
        }
    }

    /** Forgets all. */
    void clear() {
        parts.values().forEach(this::giveBack);
        parts.clear();
    }

    /** What came of one body: its pieces as they are, so that it takes no more memory than is counted. */
    private static final class Part {
        private final List<byte[]> pieces = new ArrayList<>(2); // A full frame at least, and another follows.
        private final long waitEnd;
        private int size;

        Part(long waitMillis) {
            this.waitEnd = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        }

        void add(byte[] piece) {
            pieces.add(piece);
            size += piece.length;
        }

        int size() {
            return size;
        }

        ByteBuf whole() {
            return Unpooled.wrappedBuffer(pieces.size(), pieces.toArray(byte[][]::new));
        }
    }
}
