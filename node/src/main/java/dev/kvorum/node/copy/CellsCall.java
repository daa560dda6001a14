package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import java.util.List;

/** Asks for the cells under some keys, which are in order. */
public record CellsCall(int partition, List<Key> keys) {}
