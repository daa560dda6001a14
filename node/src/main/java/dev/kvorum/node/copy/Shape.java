package dev.kvorum.node.copy;

/**
 * What two trees must have in common to be compared.
 *
 * @param leaves a power of two, 1 to {@link MerkleTree#LEAVES_MAX}
 * @param seed of the hashes
 */
public record Shape(int leaves, long seed) {}
