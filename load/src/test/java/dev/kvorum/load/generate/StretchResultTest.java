package dev.kvorum.load.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.generate.StretchResult.TimedSlice;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StretchResultTest {
    private static final long START = 1_000_000;

    /** In each second so many requests end with the wanted answer. */
    private static StretchResult of(int... done) {
        return ofSeconds(done.length, done);
    }

    private static StretchResult ofSeconds(int seconds, int... done) {
        List<TimedSlice> slices = IntStream.range(0, done.length)
                .mapToObj(i -> new TimedSlice(START + i * 1000L, START + (i + 1) * 1000L, slice(done[i])))
                .toList();
        Slice total = Slice.empty();
        slices.forEach(slice -> total.add(slice.slice()));
        return new StretchResult(total, slices, seconds, 0, 0, 0, 0, List.of());
    }

    private static Slice slice(int done) {
        Slice slice = Slice.empty();
        slice.outcomes().put(Outcome.DONE, (long) done);
        return slice;
    }

    @Test
    void firstSecondIsNoneOfThoseThatCount() {
        StretchResult.Part settled = of(1, 20, 300).settled();

        assertThat(settled.slice().count(Outcome.DONE)).isEqualTo(320);
        assertThat(settled.seconds()).isEqualTo(2);
    }

    @Test
    void shortStretchCountsAsAWhole() {
        StretchResult.Part settled = of(1, 20).settled();

        assertThat(settled.slice().count(Outcome.DONE)).isEqualTo(21);
        assertThat(settled.seconds()).isEqualTo(2);
    }

    @Test
    void partHasTheSlicesThatBeginWithinIt() {
        StretchResult.Part part = of(1, 20, 300, 4000).part(START + 500, START + 3000);

        assertThat(part.slice().count(Outcome.DONE)).isEqualTo(320);
        assertThat(part.seconds()).isEqualTo(2);
    }

    @Test
    void answersAfterTheEndCountForLatenciesAndNotForThroughput() {
        StretchResult.Part settled = ofSeconds(3, 1, 20, 300, 5).settled();

        assertThat(settled.slice().count(Outcome.DONE)).isEqualTo(325);
        assertThat(settled.seconds()).isEqualTo(2);
        assertThat(settled.throughput()).isEqualTo(160);
    }

    @Test
    void partWithoutSlicesHasNoThroughput() {
        assertThat(of(1, 20).part(START + 5000, Long.MAX_VALUE).throughput()).isZero();
    }
}
