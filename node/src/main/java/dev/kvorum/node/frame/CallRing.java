package dev.kvorum.node.frame;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls in flight on one connection. Its size is their bound, and the id of a call tells its place: so calls are
 * registered by any thread without a lock, and a reply finds its call without a search.
 */
final class CallRing {
    private static final int TRIES_MAX = 256; // More than hang in a row, unless nearly all do.

    private final AtomicReferenceArray<@Nullable Call> places;
    private final AtomicInteger ids = new AtomicInteger();

    /** @param callsMax rounded down to a power of two */
    CallRing(int callsMax) {
        this.places = new AtomicReferenceArray<>(Integer.highestOneBit(callsMax));
    }

    int size() {
        return places.length();
    }

    private int placeOf(int id) {
        return id & (places.length() - 1);
    }

    /** Gives a call an id and a place; false if there is none: so many taken in a row mean that nearly all are. */
    boolean place(Call call) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            call.number(ids.incrementAndGet());
            if (places.compareAndSet(placeOf(call.id()), null, call)) {
                return true;
            }
        }
        return false;
    }

    /** The call of that id, if it is in flight. */
    @Nullable
    Call find(int id) {
        Call call = places.get(placeOf(id));
        return call != null && call.id() == id ? call : null;
    }

    /** Takes a call out; false if somebody else did before. */
    boolean remove(Call call) {
        return places.compareAndSet(placeOf(call.id()), call, null);
    }

    /** Takes out all calls for which that holds. Looks at every place. */
    void removeIf(Predicate<Call> condition, Consumer<Call> action) {
        for (int place = 0; place < places.length(); place++) {
            Call call = places.get(place);
            if (call != null && condition.test(call) && places.compareAndSet(place, call, null)) {
                action.accept(call);
            }
        }
    }

    /** How many calls are in flight. Looks at every place. */
    int inFlight() {
        int count = 0;
        for (int place = 0; place < places.length(); place++) {
            count += places.get(place) == null ? 0 : 1;
        }
        return count;
    }
}
