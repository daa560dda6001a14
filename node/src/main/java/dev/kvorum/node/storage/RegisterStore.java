package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Registers: keys of this node, each with a row beside its cell that says what this node has promised about it. Any thread may call it; nothing
 * blocks the caller.
 *
 * <p>All fail with {@link StoreOverloadedException} at once when too much is waiting; with another error if the disk fails.
 */
public interface RegisterStore {
    /**
     * Looks at a register and changes it: one step at a time, so that nothing comes between looking and changing but plain writes of cells. Completes
     * when all that the rule has seen and changed is on the disk, whatever the settings say of other writes: who forgets a promise breaks it.
     *
     * @param rule quick, and without effects: it may be called for nothing
     */
    <T> Mono<T> step(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule);

    /**
     * As a step, for whoever promises nothing to anybody by what it has seen: that need not be on the disk yet, nor what it changes.
     *
     * @param rule as that of a step; it adds no cell
     */
    <T> Mono<T> look(int partition, Key key, Function<RegisterState, RegisterStep<T>> rule);

    /**
     * Rows in the order of partitions and keys.
     *
     * @param partition where it begins; it goes on into the next ones
     * @param after the key in that partition behind which it begins; null begins with the partition
     * @param max how many at most
     * @return fewer than {@code max} if there are no more
     */
    Mono<List<StoredRegister>> page(int partition, @Nullable Key after, int max);
}
