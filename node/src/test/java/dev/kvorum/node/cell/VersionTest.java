package dev.kvorum.node.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VersionTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 16);
    }

    /** Half of the times are equal, and half of the authors are negative: their numbers are hashes. */
    private static List<Version> random(long seed) {
        Random random = new Random(seed);
        return Stream.generate(
                        () -> new Version(random.nextBoolean() ? 7L << 16 : random.nextLong() >>> 1, random.nextLong()))
                .limit(200)
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void orderOfTheTextIsTheOrderOfVersions(long seed) {
        List<Version> versions = random(seed);

        assertThat(versions.stream().sorted(Comparator.comparing(Version::toString)))
                .containsExactlyElementsOf(versions.stream().sorted().toList());
    }

    @Test
    void laterTimeIsNewerWhoeverTheAuthor() {
        assertThat(new Version(2, 0)).isGreaterThan(new Version(1, -1));
    }

    @Test
    void authorDecidesBetweenEqualTimesAsAnUnsignedNumber() {
        assertThat(new Version(1, -1)).isGreaterThan(new Version(1, Long.MAX_VALUE));
        assertThat(new Version(1, 5)).isEqualByComparingTo(new Version(1, 5));
    }

    @Test
    void textIsTheTimeAndThenTheAuthorInFixedWidth() {
        assertThat(new Version(0x01_0000_000FL, 0xABL)).hasToString("000000010000000f00000000000000ab");
    }

    @Test
    void millisecondsAreTheUpper48Bits() {
        assertThat(new Version(1_700_000_000_123L << 16 | 0xFFFF, 1).millis()).isEqualTo(1_700_000_000_123L);
    }

    @Test
    void versionIsAboveOlderOnesAndNotAboveItself() {
        Version version = new Version(7, 5);

        assertThat(version.isAbove(new Version(7, 4))).isTrue();
        assertThat(version.isAbove(version)).isFalse();
        assertThat(version.isAbove(new Version(8, 0))).isFalse();
        assertThat(version.isAbove(Version.NONE)).isTrue();
    }
}
