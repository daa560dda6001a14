package dev.kvorum.node.repair;

import dev.kvorum.node.copy.LocalCopy;
import dev.kvorum.node.copy.Pace;
import dev.kvorum.node.copy.PartitionCopy;
import dev.kvorum.node.copy.Scope;
import dev.kvorum.node.copy.Strays;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * This node's side of every comparison.
 *
 * @param pace of what is exchanged
 * @param random chooses the seeds of trees
 * @param aheadFrom versions from that millisecond since 1970 on are further ahead than clocks may be
 */
record OwnSide(LocalCopy copy, Pace pace, RandomGenerator random, LongSupplier aheadFrom) {
    /** The seed of the trees of one round. */
    long nextSeed() {
        return random.nextLong();
    }

    /** As {@link Comparison}, with another copy. */
    Comparison with(PartitionCopy other, Scope scope, Strays strays, long seed) {
        return new Comparison(this, other, scope, strays, seed);
    }
}
