package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.verification.Verifications;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a part of a partition.
 *
 * @param cells how many it counts
 * @param bytes how many were read for it
 * @param boot a number that the process drew when it started
 * @param droppableBefore what ended before that millisecond since 1970 it was taken to hold for the grace period; {@link Verifications#NEVER} if nothing
 */
public record TreePage(
        MerkleTree tree,
        long cells,
        long bytes,
        long boot,
        long droppableBefore,
        @Nullable Key last) implements Page {}
