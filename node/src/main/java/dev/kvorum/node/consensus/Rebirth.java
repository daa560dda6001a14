package dev.kvorum.node.consensus;

import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * What a node does not know any more that it once did, or knows and must not tell.
 *
 * @param rebuilding whether it may lack cells of a partition that it once held: then it makes no promises about them, as they tell of cells, unless a round only
 *     settles what is open
 * @param forgetful whether it may also lack what it accepted for that partition: then it takes part in no such round either, unless that needs all owners anyway
 * @param floorMillis it may have made promises up to that time, in milliseconds since 1970, that it has forgotten: it serves no ballot from before; 0
 *     where it has forgotten nothing. That a disk was lost may show only with a later topology, so it is asked each time
 * @param tenure the epoch since which this node has taken part without a break: what it accepted by an earlier one was decided without it, and does not count
 */
public record Rebirth(IntPredicate rebuilding, IntPredicate forgetful, LongSupplier floorMillis, LongSupplier tenure) {
    /** That of a node that has never lost anything. */
    public static final Rebirth NEVER = new Rebirth(partition -> false, partition -> false, () -> 0, () -> 0);
}
