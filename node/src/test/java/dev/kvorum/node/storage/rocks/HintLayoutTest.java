package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.StoredHint;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class HintLayoutTest {
    private static final Key KEY = Key.of("abc");
    private static final Cell CELL = Draft.ofValue(new byte[] {9}).stamp(KEY, new Version(0x123456789ABC0001L, 2), 3);

    /** The layout is the data format: if this fails, no node finds the hints that an older one kept. */
    @Test
    void layoutNeverChanges() {
        HexFormat hex = HexFormat.of();

        assertThat(HintLayout.noteKey("n1")).isEqualTo(hex.parseHex("006e31"));
        assertThat(new HintQueue(1, 2, 3, 4, 5).note())
                .isEqualTo(hex.parseHex("0000000000000001000000000000000200000000000000030000000000000004"));
        assertThat(HintLayout.key("n1", 258)).isEqualTo(hex.parseHex("01026e310000000000000102"));
        assertThat(HintLayout.value(KEY, CELL)).isEqualTo(hex.parseHex("0003616263" + hex.formatHex(CELL.bytes())));
    }

    @Test
    void everyQueueIsARangeAlsoWhereOneNameBeginsWithAnother() {
        List<byte[]> inOrder = List.of(
                HintLayout.notesBegin(),
                HintLayout.noteKey("zz"),
                HintLayout.notesEnd(),
                HintLayout.key("n", 0),
                HintLayout.key("n", Long.MAX_VALUE),
                HintLayout.key("n", -1),
                HintLayout.key("n1", 0),
                HintLayout.key("n1", 1),
                HintLayout.key("n1", -1),
                HintLayout.key("n".repeat(63), 0));

        assertThat(inOrder).isSortedAccordingTo(Arrays::compareUnsigned);
    }

    @Test
    void hintIsReadAsItWasWritten() {
        byte[] key = HintLayout.key("n1", 7);
        byte[] value = HintLayout.value(KEY, CELL);

        assertThat(HintLayout.hint(key, value)).isEqualTo(new StoredHint(7, key.length + value.length, KEY, CELL));
        assertThat(HintLayout.bytes("n1", KEY, CELL)).isEqualTo(key.length + value.length);
        assertThat(HintLayout.millis(value, value.length))
                .isEqualTo(CELL.version().millis());
    }

    @Test
    void whatIsNoHintIsToldAsSuch() {
        byte[] key = HintLayout.key("n1", 7);
        byte[] value = HintLayout.value(KEY, CELL);

        for (int length = 0; length < value.length - 1; length++) {
            byte[] beginning = Arrays.copyOf(value, length);
            assertThat(HintLayout.hint(key, beginning)).isNull();
            assertThat(HintLayout.millis(beginning, length))
                    .isIn(0L, CELL.version().millis());
        }
    }
}
