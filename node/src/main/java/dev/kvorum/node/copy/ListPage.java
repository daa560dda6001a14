package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What they hold, in the order of keys. */
public record ListPage(
        List<Listed> listed, long bytes, @Nullable Key last) implements Page {}
