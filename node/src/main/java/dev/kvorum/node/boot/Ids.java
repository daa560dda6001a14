package dev.kvorum.node.boot;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Ids of members in one parameter of a request. */
final class Ids {
    private Ids() {}

    /** @param ids separated by commas; none if null or empty */
    static Set<String> read(@Nullable String ids) {
        return ids == null || ids.isEmpty() ? Set.of() : Set.copyOf(List.of(ids.split(",", -1)));
    }
}
