package dev.kvorum.load.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ValueSizesTest {
    private static final ValueSizes MIXED =
            new ValueSizes(List.of(new ValueSizes.Weight(100, 9), new ValueSizes.Weight(65_536, 1)));

    @Test
    void keysHaveSizesByTheirWeights() {
        long large = LongStream.range(0, 5000)
                .filter(key -> MIXED.bytes(key) == 65_536)
                .count();

        assertThat(large).isEqualTo(500);
        assertThat(MIXED.mean()).isEqualTo(0.9 * 100 + 0.1 * 65_536);
        assertThat(MIXED.areMixed()).isTrue();
        assertThat(ValueSizes.of(100).areMixed()).isFalse();
    }

    @Test
    void sizesAreNamedAsInAScenario() {
        assertThat(List.of(100, 1024, 65_536, 1 << 20, 1025))
                .extracting(ValueSizes::name)
                .containsExactly("100B", "1KiB", "64KiB", "1MiB", "1025B");
    }
}
