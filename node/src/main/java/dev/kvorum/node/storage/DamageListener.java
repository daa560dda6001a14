package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;
import reactor.core.publisher.Mono;

/** Hears of stored cells whose bytes memory or a disk has changed. Any thread; must not block. */
@FunctionalInterface
public interface DamageListener {
    /**
     * A damaged cell was met.
     *
     * @param removal takes it away, if it is still what is stored; what is there then is absent
     * @return whether the partition is known from now on to lack something: only then may work that goes through it pass the cell over
     */
    boolean damaged(int partition, Key key, Mono<Boolean> removal);

    /** Whether other members hold what this one does, so that a lost or damaged disk can be filled from them. */
    default boolean hasOthers() {
        return true;
    }
}
