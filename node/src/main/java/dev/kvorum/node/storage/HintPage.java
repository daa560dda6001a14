package dev.kvorum.node.storage;

import java.util.List;

/**
 * A stretch of a member's queue.
 *
 * @param hints in order
 * @param damaged how many more there were that can't be read any more; they have been removed
 */
public record HintPage(List<StoredHint> hints, int damaged) {}
