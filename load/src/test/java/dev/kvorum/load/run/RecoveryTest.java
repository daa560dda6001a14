package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.run.Stretches.Second;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecoveryTest {
    private static final Second NORMAL = new Second(1000, 4, 0, 0);

    private static final Part BEFORE =
            Stretches.of(Collections.nCopies(5, NORMAL)).settled();

    private static double recovery(Second... seconds) {
        return Recovery.seconds(BEFORE, Stretches.of(List.of(seconds)));
    }

    @Test
    void loadThatIsNormalAtOnceNeedsNoTime() {
        assertThat(recovery(NORMAL, NORMAL, NORMAL)).isZero();
    }

    @Test
    void aLittleSlowerOrFewerIsStillNormal() {
        assertThat(recovery(new Second(1000, 12.9, 0, 0), new Second(901, 4, 0, 0)))
                .isZero();
    }

    static Stream<Second> notNormal() {
        return Stream.of(
                new Second(1000, 13.1, 0, 0),
                new Second(899, 4, 0, 0),
                new Second(1000, 4, 1, 0),
                new Second(1000, 4, 0, 1));
    }

    @ParameterizedTest
    @MethodSource("notNormal")
    void slowFewRefusedOrFailedIsNotNormal(Second second) {
        assertThat(recovery(second, NORMAL, NORMAL, NORMAL)).isEqualTo(1);
    }

    @Test
    void secondsThatAreSomeMillisecondsLongerAreSeconds() {
        Second slow = new Second(1000, 50, 0, 0);
        List<Second> seconds = List.of(slow, slow, NORMAL, NORMAL, NORMAL);

        assertThat(Recovery.seconds(BEFORE, Stretches.of(seconds, 1003, List.of())))
                .isEqualTo(2);
    }

    @Test
    void oneNormalSecondAmongOthersIsNoRecovery() {
        Second slow = new Second(1000, 50, 0, 0);

        assertThat(recovery(slow, NORMAL, slow, NORMAL, NORMAL, NORMAL)).isEqualTo(3);
    }

    @Test
    void loadThatNeverIsNormalAgainNeedsTheWholeStretch() {
        Second slow = new Second(1000, 50, 0, 0);

        assertThat(recovery(slow, slow, slow, NORMAL)).isEqualTo(4);
    }
}
