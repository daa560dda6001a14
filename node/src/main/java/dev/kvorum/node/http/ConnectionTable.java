package dev.kvorum.node.http;

import dev.kvorum.node.http.PortMetrics.Overfull;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a port by the address of the other side. It decides which newcomer is admitted, and which connection makes room for it.
 *
 * <ul>
 *   <li>Below three quarters of the limit, every newcomer is admitted. Behind a proxy all clients have one address.
 *   <li>Above that, an address that holds half of the limit gets no more.
 *   <li>When the port is full, a connection of the address with the most connections makes room, if the newcomer's address has fewer.
 *   <li>An address whose newcomer is not admitted gives up a connection of its own that has waited for a second.
 * </ul>
 *
 * <p>Only a waiting connection makes room: the one that has waited longest among the oldest {@value #LOOKED_AT} of its address. Any thread; each call takes
 * a bounded time.
 */
final class ConnectionTable {
    private static final int LOOKED_AT = 32;
    private static final long RESTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int max;
    private final int near;
    private final int share;
    private final Map<Object, Holder> holders = new HashMap<>();
    private final NavigableSet<Holder> bySize =
            new TreeSet<>(Comparator.comparingInt(Holder::size).thenComparingLong(holder -> holder.number));
    private int open;
    private long numbers;

    ConnectionTable(int max) {
        this.max = max;
        this.near = max - max / 4;
        this.share = max / 2;
    }

    int max() {
        return max;
    }

    /**
     * What becomes of a newcomer.
     *
     * @param refusal why it is not admitted; null if it is
     * @param leaver the connection to close, which is not in the table any more; null if there was room
     */
    record Outcome(@Nullable Overfull refusal, @Nullable Held leaver) {
        private static final Outcome ADMITTED = new Outcome(null, null);
    }

    synchronized Outcome add(Held newcomer, long now) {
        Holder own = holders.get(newcomer.address());
        int ownSize = own == null ? 0 : own.size();
        if (open < near || (open < max && ownSize < share)) {
            insert(newcomer);
            return Outcome.ADMITTED;
        }
        Held leaver = open < max ? rested(own, now) : leaverOfAFullPort(own, ownSize, now);
        if (leaver == null) {
            return new Outcome(open < max ? Overfull.SHARE : Overfull.FULL, null);
        }
        remove(leaver);
        insert(newcomer);
        return new Outcome(null, leaver);
    }

    private @Nullable Held leaverOfAFullPort(@Nullable Holder own, int ownSize, long now) {
        Holder largest = bySize.last();
        return largest.size() > ownSize ? largest.longestWaiting(now) : rested(own, now);
    }

    private static @Nullable Held rested(@Nullable Holder own, long now) {
        return own == null ? null : own.longestWaiting(now - RESTED_NANOS);
    }

    private void insert(Held held) {
        Holder holder = holders.computeIfAbsent(held.address(), address -> new Holder(numbers++));
        bySize.remove(holder); // Its place depends on its size.
        holder.connections.add(held);
        bySize.add(holder);
        open++;
    }

    /** Does nothing for a connection that has made room before. */
    synchronized void remove(Held held) {
        Holder holder = holders.get(held.address());
        if (holder == null || !holder.connections.contains(held)) {
            return;
        }
        bySize.remove(holder);
        holder.connections.remove(held);
        open--;
        if (holder.size() == 0) {
            holders.remove(held.address());
        } else {
            bySize.add(holder);
        }
    }

    synchronized int size() {
        return open;
    }

    /** The connections of one address, oldest first; those found busy stand last. */
    private static final class Holder {
        private final long number;
        private final SequencedSet<Held> connections = new LinkedHashSet<>();

        Holder(long number) {
            this.number = number;
        }

        int size() {
            return connections.size();
        }

        /** Null if none has waited since that time, as far as it looks. */
        @Nullable
        Held longestWaiting(long latest) {
            Held longest = null;
            long since = latest;
            List<Held> busy = new ArrayList<>();
            Iterator<Held> oldest = connections.iterator();
            for (int i = 0; i < LOOKED_AT && oldest.hasNext(); i++) {
                Held held = oldest.next();
                long waitingSince = held.waitingSince();
                if (waitingSince == Held.BUSY) {
                    busy.add(held);
                } else if (longest == null ? waitingSince <= latest : waitingSince < since) {
                    longest = held;
                    since = waitingSince;
                }
            }
            busy.forEach(connections::addLast);
            return longest;
        }
    }
}
