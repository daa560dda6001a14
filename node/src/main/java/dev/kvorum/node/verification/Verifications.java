package dev.kvorum.node.verification;

import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.topology.change.MemberReport.Loss.Extent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * When each partition was last verified: up to which version all members were found, or made, to hold the same of it. Survives restarts.
 *
 * <p>And what may be dropped of it. A deletion may once every member is known to have held it for the grace period: then no disk that is younger than
 * that can bring back what was deleted. So of the runs that verified a partition two are remembered besides the last: the newest that is at least
 * a grace period older than a later one (<em>settled</em>), and the one that will take its place (<em>pending</em>).
 *
 * <p>A node that lost what it held <em>rebuilds</em>: until a partition was compared with all members after that, or regained from all who own it, nobody must take
 * its word for what is not there.
 *
 * <p>Any thread. Times are milliseconds since 1970 by the clock of whoever verified it, but for what was regained.
 */
public final class Verifications {
    /** Never; before every time there can be. */
    public static final long NEVER = Long.MIN_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(Verifications.class);
    private static final int BLOCK = 64; // Partitions that share a note: thousands of notes would take long to load.
    private static final int TIMES = 5;
    private static final int VERIFIED = 0;
    private static final int PENDING = 1;
    private static final int SETTLED = 2;
    private static final int REGAINED = 3;
    private static final int DAMAGED = 4;

    private final NoteStore notes;
    private final int partitions;
    private final long graceMillis;
    private final long skewMillis;
    private volatile Loss loss = Loss.NONE;
    private volatile boolean noteFails;
    private boolean clocksApart; // As was said already.
    private final long[] times; // Of each partition; 0 for never.
    private final BitSet met = new BitSet(); // Partitions with damage that was noted since a walk through them began.

    /**
     * @param grace how long all members must have held a deletion before it may be dropped
     * @param skew how far the clocks of two members may be apart
     */
    public Verifications(NoteStore notes, int partitions, Duration grace, Duration skew) {
        this.notes = notes;
        this.partitions = partitions;
        this.graceMillis = grace.toMillis();
        this.skewMillis = skew.toMillis();
        this.times = new long[TIMES * BLOCK * blocks()];
    }

    /** Reads what former lives have noted. */
    public Mono<Void> load() {
        return Flux.range(0, blocks())
                .concatMap(block -> notes.note(name(block)).doOnNext(note -> take(block, note)))
                .then();
    }

    private int blocks() {
        return (partitions + BLOCK - 1) / BLOCK;
    }

    private static String name(int block) {
        return "verified-" + block;
    }

    private synchronized void take(int block, byte[] note) {
        if (note.length != TIMES * BLOCK * Long.BYTES) {
            LOG.warn("When partitions were verified is noted in a form that is not known: they are verified again");
            return;
        }
        ByteBuffer.wrap(note).asLongBuffer().get(times, TIMES * BLOCK * block, note.length / Long.BYTES);
    }

    /** From now on this node counts as one that has lost that and no more, until it is regained. The directory remembers the loss. */
    public void regain(Loss lost) {
        loss = lost;
    }

    /** Whether this node may lack cells of a partition that it once acknowledged. */
    public synchronized boolean isRebuilding(int partition) {
        return isLost(partition, loss.some());
    }

    /**
     * Whether all that it may lack of it is what it acknowledged last before this start.
     *
     * @param before when it was incomplete before this start, in milliseconds since 1970; 0 if it was not
     */
    public synchronized boolean lacksOnlyTail(int partition, long before) {
        long regained = orNever(times[at(partition, REGAINED)]);
        return isRebuilding(partition) && !hasForgotten(partition) && regained >= orNever(before);
    }

    /** Whether it may also have forgotten what it promised and accepted in rounds of consensus. A power cut takes nothing of that. */
    public synchronized boolean hasForgotten(int partition) {
        return isLost(partition, loss.all());
    }

    /** What this node may lack of a partition, and before when; empty if it lacks nothing. */
    public synchronized Optional<Lack> lack(int partition) {
        long regained = orNever(times[at(partition, REGAINED)]);
        if (regained < loss.all()) {
            return Optional.of(new Lack(Extent.ALL, loss.all()));
        }
        if (regained < orNever(times[at(partition, DAMAGED)])) {
            return Optional.of(new Lack(Extent.CELLS, times[at(partition, DAMAGED)]));
        }
        return regained < loss.some() ? Optional.of(new Lack(Extent.LATEST, loss.some())) : Optional.empty();
    }

    /**
     * What a node may lack of a partition.
     *
     * @param before what it had taken before that may be missing, in milliseconds since 1970
     */
    public record Lack(Extent extent, long before) {}

    private boolean isLost(int partition, long before) {
        return orNever(times[at(partition, REGAINED)]) < lostBefore(partition, before);
    }

    /** A damaged cell is a loss of its partition. */
    private long lostBefore(int partition, long before) {
        return Math.max(before, orNever(times[at(partition, DAMAGED)]));
    }

    /**
     * A cell of that partition is damaged: until the node has been given all of the partition again, it counts as one that may lack cells.
     *
     * @param now milliseconds since 1970; whatever the clock shows, it is after what was regained before
     * @return completes when the directory remembers that; what is noted is in order, whoever subscribes
     */
    public synchronized Mono<Void> damaged(int partition, long now) {
        if (!hasForgotten(partition)) { // Else it is given all of it anyway.
            long known = Math.max(times[at(partition, REGAINED)], loss.some());
            times[at(partition, DAMAGED)] = Math.max(now, known + 1);
        }
        met.set(partition);
        return Mono.fromFuture(noted(partition / BLOCK).toFuture());
    }

    /** A walk through all cells of a partition begins, for a comparison. */
    public synchronized void walkBegins(int partition) {
        met.clear(partition);
    }

    /**
     * Notes that since its start this node has been given all that others held of a partition. Nothing of it is lost any more, though not all may hold the same. That stands
     * for the losses so far, and for none that comes: a clock that was ahead must not make up for the next one.
     * Nor does it stand for a damaged cell that was met since the last walk began: that may have swallowed what was given, and gone with it.
     */
    public synchronized void regained(int partition) {
        if (isRebuilding(partition) && !met.get(partition)) {
            times[at(partition, REGAINED)] = lostBefore(partition, loss.some());
            write(partition / BLOCK);
        }
    }

    /**
     * Notes that this node has what it acknowledged last before this start. That stands for no other loss of the partition.
     *
     * @param before as of {@link #lacksOnlyTail}
     */
    public synchronized void regainedTail(int partition, long before) {
        if (lacksOnlyTail(partition, before)) {
            times[at(partition, REGAINED)] = loss.some();
            write(partition / BLOCK);
        }
    }

    public int partitions() {
        return partitions;
    }

    /** Up to which time a partition was last verified, or {@link #NEVER}. */
    public synchronized long verified(int partition) {
        return orNever(times[at(partition, VERIFIED)]);
    }

    /** What ended before that time may be dropped once all members are found equal again; {@link #NEVER} if nothing may. */
    public synchronized long droppableBefore(int partition) {
        long settled = times[at(partition, SETTLED)];
        return settled == 0 ? NEVER : settled - skewMillis;
    }

    /**
     * What another says may be dropped, but not what this node itself does not take all to have held, nor what has ended later than a grace period ago by its clock.
     *
     * @param now milliseconds since 1970
     */
    public long bounded(int partition, long droppableBefore, long now) {
        return Math.min(Math.min(droppableBefore, droppableBefore(partition)), now - graceMillis);
    }

    private static int at(int partition, int which) {
        return TIMES * partition + which;
    }

    private static long orNever(long time) {
        return time == 0 ? NEVER : time;
    }

    /**
     * Notes that all members hold the same of a partition up to some time. By a clock that is ahead of this node's that would count as verified long before it is: so it does up
     * to the present only, and says nothing of how long anything was held if the clocks are further apart than they may be.
     *
     * @param now milliseconds since 1970 by this node's clock
     */
    public synchronized void note(VerifiedCall call, long now) {
        times[at(call.partition(), VERIFIED)] = Math.min(call.at(), now);
        if (call.at() <= now + skewMillis) {
            hold(call.partition(), call.at(), now);
            clocksApart = false;
        } else if (!clocksApart) { // Once, until one can be held again: there are many in a second.
            clocksApart = true;
            LOG.warn(
                    "Partition {} was verified up to {} ms ahead of this node's clock, which is more than clocks may differ: nobody drops deletions until they differ less",
                    call.partition(),
                    call.at() - now);
        }
        write(call.partition() / BLOCK);
    }

    /**
     * This node is given something that it lacked. If that had ended before a time at which it was taken to hold all such things, it was not: the period begins anew. It says so
     * itself, to whoever compares next, so nobody has to remember it who might not be there then.
     *
     * @param ended milliseconds since 1970
     */
    public synchronized void lacked(int partition, long ended) {
        boolean forgets = forget(at(partition, SETTLED), ended);
        forgets |= forget(at(partition, PENDING), ended);
        if (forgets) {
            write(partition / BLOCK);
        }
    }

    private boolean forget(int which, long ended) {
        boolean forgets = ended <= times[which];
        times[which] = forgets ? 0 : times[which];
        return forgets;
    }

    private void hold(int partition, long at, long now) {
        int pending = at(partition, PENDING);
        int settled = at(partition, SETTLED);
        // The clock was ahead, and was set right: what it has settled it may have settled too early.
        if (times[pending] - now > skewMillis) {
            times[settled] = 0;
        }
        if (times[pending] == 0 || times[pending] > at) {
            times[pending] = at;
        } else if (at - times[pending] >= graceMillis) {
            times[settled] = times[pending];
            times[pending] = at;
        }
    }

    /** Under the lock, so that two notes of one block are written in their order. */
    private void write(int block) {
        var _ = noted(block).subscribe(nothing -> {}, this::noteFailed, () -> noteFails = false);
    }

    private Mono<Void> noted(int block) {
        ByteBuffer note = ByteBuffer.allocate(TIMES * BLOCK * Long.BYTES);
        note.asLongBuffer().put(times, TIMES * BLOCK * block, TIMES * BLOCK);
        return notes.note(name(block), note.array());
    }

    /** Says so once, until one can be noted again: there are many in a second. */
    private void noteFailed(Throwable e) {
        if (!noteFails) {
            noteFails = true;
            LOG.warn(
                    "When a partition was verified, and since when it holds what has ended, could not be noted; after a restart an older note will count",
                    e);
        }
    }
}
