package dev.kvorum.node.repair;

import java.util.List;

/** Asks to store cells, as writes would. */
record StoreCall(int partition, List<KeyedCell> cells) {}
