package dev.kvorum.node.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CellTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Version VERSION = new Version(0x0123_4567_89AB_CDEFL, 0xFEDC_BA98_7654_3210L);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static Cell value(long time, String text) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8)).stamp(KEY, new Version(time, 1), 3);
    }

    private static Cell tombstone(long time) {
        return Draft.tombstone().stamp(KEY, new Version(time, 1), 3);
    }

    private static Cell expiring(long expiry) {
        return Cell.stamp(KEY, new byte[Cell.HEADER_BYTES], VERSION, Cell.Kind.VALUE, 3, expiry);
    }

    /** The layout is the data format: if this fails, no node can read what an older one stored. */
    @Test
    void binaryFormOfAValueNeverChanges() {
        Cell cell = Draft.ofValue("abc".getBytes(StandardCharsets.UTF_8)).stamp(KEY, VERSION, 258);

        assertThat(cell.bytes())
                .isEqualTo(bytes("0123456789abcdef fedcba9876543210 01 01 0102 0000000000000000 3cde0a96 616263"));
    }

    @Test
    void binaryFormOfATombstoneNeverChanges() {
        assertThat(Draft.tombstone().stamp(KEY, VERSION, 3).bytes())
                .isEqualTo(bytes("0123456789abcdef fedcba9876543210 01 02 0003 0000000000000000 0f573718"));
    }

    @Test
    void binaryFormOfAnExpiryNeverChanges() {
        assertThat(expiring(0x0102_0304_0506_0708L).bytes())
                .isEqualTo(bytes("0123456789abcdef fedcba9876543210 01 01 0003 0102030405060708 7988f4a1"));
    }

    @Test
    void everyPartIsReadBackFromTheBinaryForm() {
        Cell cell = Cell.decode(bytes("0123456789abcdef fedcba9876543210 01 01 ffff 0000000000000009 00000000 616263"));

        assertThat(cell.version()).isEqualTo(VERSION);
        assertThat(cell.isTombstone()).isFalse();
        assertThat(cell.copies()).isEqualTo(65535);
        assertThat(cell.expiry()).isEqualTo(9);
        assertThat(cell.valueLength()).isEqualTo(3);
        assertThat(StandardCharsets.UTF_8.decode(cell.value()).toString()).isEqualTo("abc");
        assertThat(cell.value().isReadOnly()).isTrue();
    }

    @Test
    void emptyValueIsNotATombstone() {
        Cell empty = Cell.decode(value(1, "").bytes());

        assertThat(empty.isTombstone()).isFalse();
        assertThat(empty.isVisibleAt(0)).isTrue();
        assertThat(empty).isNotEqualTo(tombstone(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                                                        | at least 32 bytes, not 0
            0000000000000001 0000000000000001 01 01 0003 0000000000000000 000000       | at least 32 bytes, not 31
            0000000000000000 0000000000000001 01 01 0003 0000000000000000 00000000     | hybrid time 0 is not positive
            8000000000000000 0000000000000001 01 01 0003 0000000000000000 00000000     | is not positive
            0000000000000001 0000000000000001 00 01 0003 0000000000000000 00000000     | format 0 is not known
            0000000000000001 0000000000000001 02 01 0003 0000000000000000 00000000     | format 2 is not known
            0000000000000001 0000000000000001 01 00 0003 0000000000000000 00000000     | kind 0 is neither
            0000000000000001 0000000000000001 01 03 0003 0000000000000000 00000000     | kind 3 is neither
            0000000000000001 0000000000000001 01 02 0003 0000000000000000 00000000 61  | a tombstone has no value
            0000000000000001 0000000000000001 01 01 0000 0000000000000000 00000000     | copies 0 or expiry 0 out of range
            0000000000000001 0000000000000001 01 01 0003 ffffffffffffffff 00000000     | copies 3 or expiry -1 out of range
            """)
    void malformedCellIsRefusedWithTheReason(String hex, String reason) {
        assertThatThrownBy(() -> Cell.decode(bytes(hex)))
                .isInstanceOf(MalformedCellException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void cellIsIntactUnderTheKeyThatItWasMadeFor() {
        Cell cell = value(7, "abc");

        assertThat(cell.requireIntact(KEY)).isSameAs(cell);
        assertThat(Cell.decode(cell.bytes().clone())
                        .anew(KEY, VERSION, 2)
                        .requireIntact(KEY)
                        .copies())
                .isEqualTo(2);
    }

    /** Each bit of it, as a disk or memory flips one. */
    @Test
    void noFlippedBitPasses() {
        byte[] intact = value(7, "abc").bytes();
        for (int bit = 0; bit < 8 * intact.length; bit++) {
            byte[] flipped = intact.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);

            assertThatThrownBy(() -> Cell.decode(flipped).requireIntact(KEY))
                    .as("bit " + bit)
                    .isInstanceOf(MalformedCellException.class);
        }
    }

    @Test
    void cellOfAnotherKeyIsNotIntact() {
        Cell cell = value(7, "abc");

        assertThatThrownBy(() -> cell.requireIntact(Key.of("cart-8")))
                .isInstanceOf(DamagedCellException.class)
                .hasMessage("the cell of version 00000000000000070000000000000001 does not have its checksum:"
                        + " memory or a disk has changed it");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 16);
    }

    /** The times and authors come from few, so that pairs share one or the other. */
    private static Cell random(Random random) {
        long[] times = {1, 2, 0xFF, 0x100, 1L << 47, Long.MAX_VALUE};
        long[] authors = {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1};
        Version version = new Version(times[random.nextInt(times.length)], authors[random.nextInt(authors.length)]);
        if (random.nextInt(4) == 0) {
            return Draft.tombstone().stamp(KEY, version, 1 + random.nextInt(65535));
        }
        byte[] value = new byte[random.nextInt(5)];
        random.nextBytes(value);
        return Draft.ofValue(value).stamp(KEY, version, 1 + random.nextInt(65535));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void byteOrderIsVersionOrderWhateverElseTheCellsHold(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            Cell one = random(random);
            Cell other = random(random);
            int byVersion = one.version().compareTo(other.version());

            if (byVersion != 0) {
                assertThat(Integer.signum(Arrays.compareUnsigned(one.bytes(), other.bytes())))
                        .isEqualTo(Integer.signum(byVersion));
                assertThat(one.isNewerThan(other)).isEqualTo(byVersion > 0);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void newestDoesNotDependOnTheOrderOfTheTwo(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            Cell one = random(random);
            Cell other = random(random);

            assertThat(Cell.newest(one, other))
                    .isEqualTo(Cell.newest(other, one))
                    .isIn(one, other);
        }
    }

    @Test
    void newestIsTheLaterEvenWhereItIsATombstone() {
        assertThat(Cell.newest(value(1, "zzz"), tombstone(2))).isEqualTo(tombstone(2));
        assertThat(Cell.newest(value(3, ""), tombstone(2))).isEqualTo(value(3, ""));
    }

    @Test
    void newestOfOneIsThatOneAndOfNoneIsNone() {
        assertThat(Cell.newest(value(1, "a"), null)).isEqualTo(value(1, "a"));
        assertThat(Cell.newest(null, value(1, "a"))).isEqualTo(value(1, "a"));
        assertThat(Cell.newest(null, null)).isNull();
    }

    @Test
    void cellIsNotNewerThanItself() {
        assertThat(value(1, "a").isNewerThan(value(1, "a"))).isFalse();
    }

    @Test
    void valueIsVisibleUntilItsExpiryAndNotAtIt() {
        assertThat(expiring(1000).isVisibleAt(999)).isTrue();
        assertThat(expiring(1000).isVisibleAt(1000)).isFalse();
    }

    @Test
    void valueWithoutExpiryIsAlwaysVisibleAndATombstoneNever() {
        assertThat(value(1, "a").isVisibleAt(Long.MAX_VALUE)).isTrue();
        assertThat(tombstone(1).isVisibleAt(0)).isFalse();
    }

    @Test
    void cellsAreEqualByTheirBytes() {
        assertThat(value(1, "a")).isEqualTo(Cell.decode(value(1, "a").bytes().clone()));
        assertThat(value(1, "a")).hasSameHashCodeAs(value(1, "a"));
        assertThat(value(1, "a")).isNotEqualTo(value(1, "b"));
    }

    @Test
    void cellWrittenAnewDiffersInVersionAndCopiesAlone() {
        Cell cell = value(7, "abc");

        Cell anew = cell.anew(KEY, VERSION, 258);

        assertThat(anew.bytes())
                .isEqualTo(bytes("0123456789abcdef fedcba9876543210 01 01 0102 0000000000000000 3cde0a96 616263"));
        assertThat(cell).isEqualTo(value(7, "abc"));
    }

    @Test
    void headIsAllButTheValue() {
        Cell head = value(7, "abc").head();
        assertThat(head.bytes()).isEqualTo(Arrays.copyOf(value(7, "abc").bytes(), Cell.HEADER_BYTES));
        assertThat(tombstone(7).head()).isEqualTo(tombstone(7));
        Cell empty = value(7, "");
        assertThat(empty.head()).isSameAs(empty);
    }

    @Test
    void cellEndsWithItsDeletionOrItsExpiryButNotBeforeItWasWritten() {
        long written = VERSION.millis();

        assertThat(Draft.tombstone().stamp(KEY, VERSION, 3).endMillis()).isEqualTo(written);
        assertThat(expiring(written + 5).endMillis()).isEqualTo(written + 5);
        assertThat(expiring(5).endMillis()).isEqualTo(written);
        assertThat(expiring(0).endMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void cellOfAnotherNodeHasNoMoreCopiesThanAClusterHasMembers() {
        byte[] most = Draft.ofValue(1).stamp(KEY, VERSION, Cell.COPIES_MAX).bytes();
        byte[] tooMany =
                Draft.ofValue(1).stamp(KEY, VERSION, Cell.COPIES_MAX + 1).bytes();

        assertThat(Cell.decodeCalled(most).copies()).isEqualTo(255);
        assertThatThrownBy(() -> Cell.decodeCalled(tooMany))
                .isInstanceOf(MalformedCellException.class)
                .hasMessageContaining("copies 256 are more than a cluster can have, 255");
        assertThatThrownBy(() -> Cell.decodeCalled(new byte[3])).isInstanceOf(MalformedCellException.class);
    }

    @Test
    void cellSaysWhatItIs() {
        assertThat(value(7, "abc").toString()).startsWith("3 bytes @");
        assertThat(tombstone(7).toString()).startsWith("tombstone @");
        assertThat(value(7, "abc")).isNotEqualTo("abc");
    }

    @Test
    void cellsAreOrderedByAge() {
        assertThat(value(7, "a")).isLessThan(value(8, ""));
        assertThat(value(7, "a").hashCode()).isNotEqualTo(value(7, "b").hashCode());
    }
}
