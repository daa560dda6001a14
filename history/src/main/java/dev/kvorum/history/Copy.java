package dev.kvorum.history;

import org.jspecify.annotations.Nullable;

/**
 * What one node held of one key at the end, when faults had stopped and repair had had its time.
 *
 * @param owner whether the key belongs there: the node is among as many first owners as the newest cell asks for
 * @param version null where it held nothing
 * @param value null where it held nothing, or a tombstone
 */
public record Copy(
        String node,
        String key,
        boolean owner,
        @Nullable String version,
        @Nullable String value) {
    /** As a part of a sentence. */
    public String inWords() {
        String held = value == null ? "a tombstone" : "\"" + value + "\"";
        return node + " holds " + (version == null ? "nothing" : held + " @" + version);
    }
}
