package dev.kvorum.simulation.disk;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One change of what a disk holds: in a family, as the column families of RocksDB. */
public final class Change {
    private enum Rule {
        PUT,
        MERGE,
        DELETE
    }

    private final Rule rule;
    private final String family;
    private final byte[] key;
    private final byte @Nullable [] value;

    private Change(Rule rule, String family, byte[] key, byte @Nullable [] value) {
        this.rule = rule;
        this.family = family;
        this.key = key;
        this.value = value;
    }

    public static Change put(String family, byte[] key, byte[] value) {
        return new Change(Rule.PUT, family, key, value);
    }

    /** Of two values the one whose bytes are greater stays: RocksDB's {@code max}. */
    public static Change merge(String family, byte[] key, byte[] value) {
        return new Change(Rule.MERGE, family, key, value);
    }

    public static Change delete(String family, byte[] key) {
        return new Change(Rule.DELETE, family, key, null);
    }

    byte[] key() {
        return key;
    }

    /** What is stored; null where something is removed. */
    byte @Nullable [] value() {
        return value;
    }

    String family() {
        return family;
    }

    void applyTo(Map<byte[], byte[]> held) {
        byte @Nullable [] after = switch (rule) {
            case PUT -> value;
            case MERGE -> greater(held.get(key), value);
            case DELETE -> null;
        };
        if (after == null) {
            held.remove(key);
        } else {
            held.put(key, after);
        }
    }

    private static byte @Nullable [] greater(byte @Nullable [] one, byte @Nullable [] other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
    }
}
