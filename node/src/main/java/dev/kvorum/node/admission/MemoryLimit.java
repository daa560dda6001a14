package dev.kvorum.node.admission;

import dev.kvorum.node.cell.RecentLength;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.ByteBudget;
import java.util.function.IntSupplier;

/**
 * How many operations may be under way on one event loop: as many as it is told, but no more than there is memory for what each will hold, which is known only when replicas have answered; it is
 * taken to be what operations have held of late. Without that bound reads of large values are carried out, and then refused for lack of room.
 *
 * <p>Reads under way have a quarter of the budget, as the collector moves what they hold each time it runs, and no more than what is not taken of it by bodies, and by answers that nobody takes. {@value #LEAST} may be under
 * way whatever there is: short values and writes are served while clients take no long ones, if not many at a time, and a few reads that wait for a slow replica keep nobody out. What is held really is
 * bounded by the budget all the same.
 *
 * <p>Any thread may note, the loop asks.
 */
public final class MemoryLimit implements IntSupplier {
    /** Operations that may be under way on each loop, however much they hold. */
    public static final int LEAST = 8;

    private static final int PARTS = 4;

    private final int most;
    private final ByteBudget budget;
    private final int loops;
    private final RecentLength held = new RecentLength();

    /**
     * @param most operations, at least 1
     * @param budget shared by all loops
     */
    MemoryLimit(int most, ByteBudget budget, int loops) {
        this.most = most;
        this.budget = budget;
        this.loops = loops;
    }

    /** An operation has succeeded that held so many bytes of answers at most. One that has failed, as for lack of room, says nothing. */
    void note(long bytes) {
        held.note((int) Math.min(bytes, Integer.MAX_VALUE));
    }

    /** At least {@value #LEAST}, unless it was told fewer. */
    @Override
    public int getAsInt() {
        int each = held.bytes();
        if (each < AnswerGuard.COUNTED_MIN) {
            return most;
        }
        long share = Math.min(budget.left(), budget.max() / PARTS) / loops;
        return (int) Math.min(most, Math.max(LEAST, share / each));
    }
}
