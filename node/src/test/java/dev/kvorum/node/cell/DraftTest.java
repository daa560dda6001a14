package dev.kvorum.node.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DraftTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Version VERSION = new Version(7, 9);

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void valueGatheredInPiecesIsTheValueOfTheCell() {
        Draft draft = Draft.ofValue(6);
        var room = draft.value();
        room.put(utf8("two ")).put(utf8("as"));

        Cell cell = draft.stamp(KEY, VERSION, 3);

        assertThat(room.hasRemaining()).isFalse();
        assertThat(cell).isEqualTo(Draft.ofValue(utf8("two as")).stamp(KEY, VERSION, 3));
    }

    @Test
    void stampedDraftIsACellThatEveryNodeReads() {
        assertThat(Cell.decode(Draft.ofValue(utf8("a"))
                                .stamp(KEY, VERSION, 65535)
                                .bytes())
                        .copies())
                .isEqualTo(65535);
        assertThat(Cell.decode(Draft.tombstone().stamp(KEY, VERSION, 1).bytes()).isTombstone())
                .isTrue();
    }

    @Test
    void lengthOfTheValueIsKnownBeforeItIsThere() {
        assertThat(Draft.ofValue(6).valueLength()).isEqualTo(6);
        assertThat(Draft.tombstone().valueLength()).isZero();
    }
}
