package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cells in the order of their keys; of those asked for by name, the last may be one that there is no cell under. */
public record CellPage(
        List<KeyedCell> cells, long bytes, @Nullable Key last) implements Page {}
