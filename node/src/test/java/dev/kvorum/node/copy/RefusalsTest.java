package dev.kvorum.node.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private static final long LATELY = TimeUnit.SECONDS.toNanos(5);
    private static final long NOW = TimeUnit.HOURS.toNanos(1);

    private final Refusals refusals = new Refusals();

    @Test
    void membersThatHaveLatelyRefusedAreNamedInOrder() {
        assertThat(refusals.inWords(NOW)).isEmpty();

        refusals.answered("n3", true, NOW);
        refusals.answered("n2", true, NOW);
        refusals.answered("n1", false, NOW);

        assertThat(refusals.inWords(NOW + LATELY))
                .isEqualTo("n2, n3 had too much to do and refused some calls: it goes on slowly");
        assertThat(refusals.inWords(NOW + LATELY + 1)).isEmpty();
    }

    @Test
    void refusalIsForgottenByAnAnswerThatComesAWhileLater() {
        refusals.answered("n2", true, NOW);

        refusals.answered("n2", false, NOW + LATELY);
        assertThat(refusals.inWords(NOW)).contains("n2");

        refusals.answered("n2", false, NOW + LATELY + 1);
        assertThat(refusals.inWords(NOW)).isEmpty();
    }
}
