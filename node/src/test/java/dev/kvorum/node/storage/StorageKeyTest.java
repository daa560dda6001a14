package dev.kvorum.node.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class StorageKeyTest {
    /** The layout is the data format: if this fails, no node finds what an older one stored. */
    @Test
    void layoutNeverChanges() {
        assertThat(StorageKey.of(0x0102, Key.of("abc")))
                .isEqualTo(HexFormat.of().parseHex("0102616263"));
        assertThat(StorageKey.of(65535, Key.of("a"))).isEqualTo(HexFormat.of().parseHex("ffff61"));
    }

    @Test
    void partitionsAreRangesOneAfterTheOther() {
        List<byte[]> inOrder = List.of(
                StorageKey.of(0, Key.of("\0")),
                StorageKey.of(0, Key.of("z".repeat(Key.BYTES_MAX))),
                StorageKey.of(1, Key.of("\0")),
                StorageKey.of(127, Key.of("🔑")),
                StorageKey.of(128, Key.of("a")),
                StorageKey.of(255, Key.of("🔑")),
                StorageKey.of(256, Key.of("a")),
                StorageKey.of(32768, Key.of("a")),
                StorageKey.of(65535, Key.of("a")));

        assertThat(inOrder).isSortedAccordingTo(Arrays::compareUnsigned);
    }
}
