package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.collection.IntObjectHashMap;
import java.io.ByteArrayOutputStream;
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
        /** There is no memory left for it. */
        NO_ROOM
    }

    private final int bodyMax;
    private final Allowance allowance;
    private final IntObjectHashMap<ByteArrayOutputStream> parts = new IntObjectHashMap<>(4);

    /** @param bodyMax longest body, in bytes */
    Assembly(int bodyMax, Allowance allowance) {
        this.bodyMax = bodyMax;
        this.allowance = allowance;
    }

    /** Adds a frame's bytes to the body of its id. */
    Progress add(Frame frame) {
        ByteArrayOutputStream part = parts.get(frame.id);
        int length = frame.body.readableBytes();
        if (part == null && frame.isContinuation()) {
            return Progress.IGNORED;
        }
        if (part != null && !frame.isContinuation()) {
            throw new MalformedFrameException("body " + frame.id + " begins twice");
        }
        if (length + (part == null ? 0 : part.size()) > bodyMax) {
            drop(frame.id);
            return Progress.TOO_LONG;
        }
        return frame.isWholeMessage() ? Progress.WHOLE : append(frame, part);
    }

    private Progress append(Frame frame, @Nullable ByteArrayOutputStream known) {
        int length = frame.body.readableBytes();
        if (!allowance.take(length)) {
            drop(frame.id);
            return Progress.NO_ROOM;
        }
        ByteArrayOutputStream part = known == null ? new ByteArrayOutputStream(2 * Frame.BODY_MAX) : known;
        byte[] bytes = new byte[length];
        frame.body.readBytes(bytes);
        part.writeBytes(bytes);
        parts.put(frame.id, part);
        return frame.hasMore() ? Progress.PARTIAL : Progress.WHOLE;
    }

    /** The body that a frame has made whole, good until the next frame. What it took of the allowance is given back. */
    ByteBuf take(Frame frame) {
        ByteArrayOutputStream part = parts.remove(frame.id);
        if (part == null) {
            return frame.body;
        }
        allowance.giveBack(part.size());
        return Unpooled.wrappedBuffer(part.toByteArray());
    }

    /** Forgets what came of a body. */
    void drop(int id) {
        ByteArrayOutputStream part = parts.remove(id);
        if (part != null) {
            allowance.giveBack(part.size());
        }
    }

    /** Forgets all. */
    void clear() {
        parts.values().forEach(part -> allowance.giveBack(part.size()));
        parts.clear();
    }
}
