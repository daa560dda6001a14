package dev.kvorum.history;

import org.jspecify.annotations.Nullable;

/**
 * What one node held of one key at the end, when faults had stopped and repair had had its time.
 *
 * @param owner whether the key belongs there: the node is among as many first owners as the newest cell asks for
 * @param mayStay whether it may be held there though the key does not belong there: its members have changed, and the node still holds what is written
 *     with as many copies as by default, so that it drops nothing of the partition
 * @param version null where it held nothing
 * @param value null where it held nothing, or a tombstone
 */
public record Copy(
        String node,
        String key,
        boolean owner,
        boolean mayStay,
        @Nullable String version,
        @Nullable String value) {
    /** Of a node that holds it because the key belongs there, or against what is promised. */
    public Copy(String node, String key, boolean owner, @Nullable String version, @Nullable String value) {
        this(node, key, owner, false, version, value);
    }

    /** As a part of a sentence. */
    public String inWords() {
        String held = value == null ? "a tombstone" : "\"" + value + "\"";
        return node + " holds " + (version == null ? "nothing" : held + " @" + version);
    }
}
