package dev.kvorum.node.consensus;

import java.util.function.IntPredicate;

/**
 * What a node does not know any more that it once did.
 *
 * @param rebuilding whether it may lack cells of a partition that it once held: then it makes no promises about them, as they tell of cells
 * @param floorMillis it may have made promises up to that time, in milliseconds since 1970, that it has forgotten: it serves no ballot from before; 0
 *     where it has forgotten nothing
 */
public record Rebirth(IntPredicate rebuilding, long floorMillis) {
    /** That of a node that has never lost anything. */
    public static final Rebirth NEVER = new Rebirth(partition -> false, 0);
}
