package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for a write to be done, or a value to be answered.
 *
 * <p>Source: RFC 9110, section 13.1.
 */
public sealed interface Condition {
    /** Nothing. */
    record None() implements Condition {}

    /** {@code If-Match: *}: there is a value. */
    record Present() implements Condition {}

    /** {@code If-None-Match: *}: there is none. */
    record Absent() implements Condition {}

    /**
     * {@code If-Match} with a list: there is a value, and it has one of these versions.
     *
     * @param versions as in ETags, without quotes
     */
    record OneOf(Set<String> versions) implements Condition {
        public OneOf {
            versions = Set.copyOf(versions);
        }
    }

    /**
     * {@code If-None-Match} with a list: there is no value, or it has none of these versions.
     *
     * @param versions as in ETags, without quotes
     */
    record NoneOf(Set<String> versions) implements Condition {
        public NoneOf {
            versions = Set.copyOf(versions);
        }
    }

    /**
     * Whether it holds.
     *
     * @param newest the newest cell, of which the head is enough; null if there is none
     * @param millis the time of reading it, in milliseconds since 1970
     */
    default boolean holdsFor(@Nullable Cell newest, long millis) {
        return holdsFor(newest != null && newest.isVisibleAt(millis) ? newest.version() : null);
    }

    /**
     * Whether it holds.
     *
     * @param version of the value that there is; null if there is none
     */
    default boolean holdsFor(@Nullable Version version) {
        return switch (this) {
            case None none -> true;
            case Present present -> version != null;
            case Absent absent -> version == null;
            case OneOf(Set<String> versions) -> version != null && versions.contains(version.toString());
            case NoneOf(Set<String> versions) -> version == null || !versions.contains(version.toString());
        };
    }
}
