package dev.kvorum.node.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChangesUnderWayTest {
    private static final int MEBIBYTE = 1 << 20;

    private final ChangesUnderWay underWay = new ChangesUnderWay();

    @Test
    void valuesAreBoundedByTheirBytes() {
        int begun = 0;
        while (underWay.begin(MEBIBYTE)) {
            begun++;
        }
        assertThat(begun).isEqualTo(31);

        underWay.end(MEBIBYTE);
        assertThat(underWay.begin(MEBIBYTE)).isTrue();
        assertThat(underWay.begin(MEBIBYTE)).isFalse();
    }

    @Test
    void smallOnesAreBoundedByTheirNumber() {
        for (int i = 0; i < ChangesUnderWay.CHANGES_MAX; i++) {
            assertThat(underWay.begin(100)).isTrue();
        }

        assertThat(underWay.begin(0)).isFalse();
    }

    @Test
    void oneAloneMayBeginWhateverItHolds() {
        assertThat(underWay.begin(64 * MEBIBYTE)).isTrue();
        assertThat(underWay.begin(0)).isFalse();

        underWay.end(64 * MEBIBYTE);
        assertThat(underWay.changes()).isZero();
        assertThat(underWay.begin(0)).isTrue();
    }

    @Test
    void valuesMayFillTheirRoomExactly() {
        int half = 16 * MEBIBYTE - 2048; // Each takes 2 KiB besides.

        assertThat(underWay.begin(half)).isTrue();
        assertThat(underWay.begin(half)).isTrue();
        assertThat(underWay.changes()).isEqualTo(2);
        assertThat(underWay.begin(0)).isFalse();
    }
}
