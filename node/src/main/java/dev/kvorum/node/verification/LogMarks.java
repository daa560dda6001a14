package dev.kvorum.node.verification;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Where this member's log stood when another member's log stood where. After a power cut the other one has lost the end of its log: this tells from where on this member's log
 * has all that the other had acknowledged and lost.
 *
 * <pre>
 * this member's log   ---------+----------------------------------------------&gt;
 *                              | a lifetime of a request before the question
 * the other's log     -------------------+------------------ lost ------X
 *                                        | its answer: so many changes
 * </pre>
 *
 * <p>What the other has acknowledged before that answer is among those changes. If it still has as many, it has lost only what it acknowledged after the question. The requests of
 * that had begun a lifetime before the question at the earliest, and no other replica can have taken the same write before its request began. No clocks are compared.
 *
 * <p>Any thread. It is of one life of this member, and remembers as many members as there are.
 */
public final class LogMarks {
    private static final int OWN_MAX = 4096; // One a second: longer than any log is kept.
    private static final int HEARD_MAX = 128; // Of one member: longer than any sync interval.

    private final LongSupplier last;
    private final LongSupplier nanos;
    private final long lifetimeNanos;
    private final Deque<Mark> own = new ArrayDeque<>();
    private final Map<String, Deque<Heard>> others = new HashMap<>();

    /** The log ended there at that time, or before it. */
    private record Mark(long at, long end) {}

    /** A member has said, after that time, how many changes it had made. */
    private record Heard(long askedAt, long start, long changes) {}

    /**
     * @param last the number of the last change of this member's store; negative where that can't be told now
     * @param nanos as {@link System#nanoTime}
     * @param lifetimeNanos how long before its acknowledgement a request can have begun
     */
    public LogMarks(LongSupplier last, LongSupplier nanos, long lifetimeNanos) {
        this.last = last;
        this.nanos = nanos;
        this.lifetimeNanos = lifetimeNanos;
    }

    /** Notes where the log stands now, and forgets what is no member. About once a second. */
    public synchronized void note(Set<String> members) {
        others.keySet().retainAll(members);
        long end = last.getAsLong();
        Mark before = own.peekLast();
        if (before != null && end >= 0 && end < before.end) {
            own.clear(); // The store has lost the end of its log: its numbers are given again.
        }
        if (end >= 0) {
            add(own, new Mark(nanos.getAsLong(), end), OWN_MAX);
        }
    }

    /** How many changes this member has made, for others; negative where that can't be told now. */
    public long changes() {
        return last.getAsLong();
    }

    /**
     * A member has said how many changes it has made.
     *
     * @param askedAt when it was asked
     * @param start the number of its start
     * @param changes negative where it could not tell
     */
    public synchronized void hear(String member, long askedAt, long start, long changes) {
        if (changes >= 0) {
            add(
                    others.computeIfAbsent(member, first -> new ArrayDeque<>()),
                    new Heard(askedAt, start, changes),
                    HEARD_MAX);
        }
    }

    private static <T> void add(Deque<T> entries, T entry, int max) {
        if (entries.size() == max) {
            entries.removeFirst();
        }
        entries.addLast(entry);
    }

    /**
     * The number of the last change of this member's store that can have nothing to do with what another member has lost; empty where that is not known.
     *
     * @param start the number of that member's present start
     * @param changes how many changes it found when it started
     */
    public synchronized OptionalLong before(String member, long start, long changes) {
        Deque<Heard> heard = others.getOrDefault(member, new ArrayDeque<>());
        for (Iterator<Heard> newest = heard.descendingIterator(); newest.hasNext(); ) {
            Heard one = newest.next();
            if (one.start < start && one.changes <= changes) {
                return endAt(one.askedAt - lifetimeNanos);
            }
        }
        return OptionalLong.empty();
    }

    private OptionalLong endAt(long time) {
        for (Iterator<Mark> newest = own.descendingIterator(); newest.hasNext(); ) {
            Mark mark = newest.next();
            if (mark.at <= time) {
                return OptionalLong.of(mark.end);
            }
        }
        return OptionalLong.empty();
    }
}
