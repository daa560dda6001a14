package dev.kvorum.node.copy;

import java.util.List;

/** Asks to store cells, as writes would. */
public record StoreCall(int partition, List<KeyedCell> cells) {}
