package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClockErrorTest {
    private static final Duration TOLERATED = Duration.ofSeconds(2);
    private static final List<ClockError> MANY = IntStream.range(0, 3000)
            .mapToObj(chance -> ClockError.of(chance, TOLERATED))
            .toList();

    @Test
    void chanceDecidesTheError() {
        assertThat(ClockError.of(17, TOLERATED)).isEqualTo(ClockError.of(17, TOLERATED));
        assertThat(ClockError.of(17, TOLERATED)).isNotEqualTo(ClockError.of(18, TOLERATED));
    }

    @Test
    void thirdOfTheErrorsIsTolerated() {
        assertThat(share(error -> error.ahead().abs().compareTo(TOLERATED) < 0)).isBetween(0.28, 0.38);
        assertThat(share(error -> error.ahead().abs().compareTo(Duration.ofMinutes(1)) >= 0))
                .isBetween(0.28, 0.38);
        assertThat(MANY).allMatch(error -> error.ahead().abs().compareTo(Duration.ofHours(2)) <= 0);
        assertThat(MANY).noneMatch(error -> error.ahead().isZero());
    }

    @Test
    void halfOfTheErrorsAreBehind() {
        assertThat(share(error -> error.ahead().isNegative())).isBetween(0.45, 0.55);
        assertThat(MANY).allMatch(error -> error.ahead().isNegative() == error.perSecond() < 0);
    }

    private static double share(Predicate<ClockError> of) {
        return (double) MANY.stream().filter(of).count() / MANY.size();
    }

    @Test
    void driftGrowsWithTime() {
        ClockError error = new ClockError(Duration.ZERO, -0.5);

        assertThat(error.after(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(-2));
    }

    @Test
    void errorIsToldInWords() {
        assertThat(new ClockError(Duration.ofMillis(-1540), -0.25).inWords()).isEqualTo("1.5 s behind");
        assertThat(new ClockError(Duration.ofMillis(1540), 0.25).driftInWords())
                .isEqualTo("gains 0.25 s in each second");
    }
}
