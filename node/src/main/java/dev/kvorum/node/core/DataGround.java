package dev.kvorum.node.core;

import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.MemberDirectory;

/**
 * The directory and the store of a node, as a start meets them. It does what it is told; {@link Arrival} decides. All methods may block.
 *
 * @param <D> its directories
 * @param <S> its stores
 */
public interface DataGround<D extends MemberDirectory, S> {
    /**
     * Opens the store in a directory.
     *
     * @param remembered how many changes are in it at least, as other members remember; 0 if none does
     * @throws LostDataException if it has lost something
     */
    S open(D directory, long remembered);

    /**
     * From now on what the directory holds counts as incomplete, until it was compared with the other owners.
     *
     * @param now a time after all that was acknowledged there, in milliseconds since 1970
     * @return the directory as it is then
     */
    D becomeIncomplete(D directory, long now);

    /**
     * Moves what the directory holds to where nobody uses it.
     *
     * @param now as above
     * @return the directory as it is then: empty, under another incarnation
     */
    D setAside(D directory, long now);
}
