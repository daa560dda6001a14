package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.storage.Scanned;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Gathers what goes into one message: it ends before the item that does not fit, unless that is its first. For one thread at a time. */
final class PageItems<T> {
    private final ToIntFunction<T> length;
    private final List<T> items = new ArrayList<>();
    private @Nullable Key seen;
    private int bytes;
    private boolean full;

    /** @param length of an item in the message, in bytes */
    PageItems(ToIntFunction<T> length) {
        this.length = length;
    }

    /** Adds what stands under the next key; false if it does not fit, and then the page ends before that key. */
    boolean add(Key key, T item) {
        int more = length.applyAsInt(item);
        if (!items.isEmpty() && bytes + more > PeerProtocol.PAGE_BYTES) {
            full = true;
            return false;
        }
        items.add(item);
        bytes += more;
        return skip(key);
    }

    /** Passes over the next key. */
    boolean skip(Key key) {
        seen = key;
        return true;
    }

    List<T> items() {
        return items;
    }

    long bytes() {
        return bytes;
    }

    /** The key with which the page ends; null if nothing is left of what was scanned for it. */
    @Nullable
    Key last(Scanned scanned) {
        return full ? seen : scanned.last();
    }

    /** The same where everything was offered. */
    @Nullable
    Key last() {
        return full ? seen : null;
    }
}
