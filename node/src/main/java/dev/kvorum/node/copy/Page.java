package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A part of a partition, in the order of its keys. */
public interface Page {
    /** The key with which it ends; null if nothing of the partition is left behind it. */
    @Nullable
    Key last();

    /** The bytes that were read or sent for it: what limits of rates count. */
    long bytes();

    /**
     * All pages of a partition, one after the other: the next is asked for when the one before was taken.
     *
     * @param page the page that begins there; one that does not get on ends them with {@link IllegalStateException}
     */
    static <P extends Page> Flux<P> all(Function<PageStart, Mono<P>> page) {
        return page.apply(PageStart.FIRST).expand(before -> {
            Key last = before.last();
            return last == null
                    ? Mono.empty()
                    : page.apply(new PageStart(last)).doOnNext(next -> requireProgress(last, next.last()));
        });
    }

    private static void requireProgress(Key before, @Nullable Key now) {
        if (now != null && order(before, now) >= 0) {
            throw new IllegalStateException("a page ends at \"" + now + "\", as the one before did, or before it");
        }
    }

    /** The order in which keys are stored. */
    static int order(Key one, Key other) {
        return Arrays.compareUnsigned(one.utf8(), other.utf8());
    }

    /** @param after the key behind which it begins; null where the partition does */
    record PageStart(@Nullable Key after) {
        static final PageStart FIRST = new PageStart(null);
    }
}
