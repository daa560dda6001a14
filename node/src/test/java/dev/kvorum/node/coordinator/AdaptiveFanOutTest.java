package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdaptiveFanOutTest {
    private final AdaptiveFanOut fanOut = new AdaptiveFanOut();

    private void stay(double load, int samples) {
        for (int i = 0; i < samples; i++) {
            fanOut.sample(load);
        }
    }

    @Test
    void asksAllPromptOnesWhileProcessorsAreIdle() {
        assertThat(fanOut.breadth()).isEqualTo(Breadth.PROMPT);

        stay(0.3, 100);

        assertThat(fanOut.breadth()).isEqualTo(Breadth.PROMPT);
    }

    @Test
    void hedgesWhenTheyHaveBeenBusyForSomeSamples() {
        stay(1, 5);

        assertThat(fanOut.breadth()).as("a moment does not count").isEqualTo(Breadth.PROMPT);

        stay(1, 5);

        assertThat(fanOut.breadth()).isEqualTo(Breadth.NEEDED);
    }

    @Test
    void whatHedgingItselfSavesDoesNotEndIt() {
        stay(0.76, 100);
        stay(0.76 * 0.71, 100); // At 2/3, as measured;
        stay(0.76 * 0.55, 100); // of large replica sets.

        assertThat(fanOut.breadth()).isEqualTo(Breadth.NEEDED);

        stay(0.39, 100);

        assertThat(fanOut.breadth()).isEqualTo(Breadth.PROMPT);
    }

    @Test
    void loadBetweenTheBoundsChangesNothing() {
        stay(0.6, 100);

        assertThat(fanOut.breadth()).isEqualTo(Breadth.PROMPT);

        stay(1, 100);
        stay(0.6, 100);

        assertThat(fanOut.breadth()).isEqualTo(Breadth.NEEDED);
    }

    @Test
    void loadThatIsNotKnownChangesNothing() {
        stay(1, 100);
        stay(-1, 100);
        stay(Double.NaN, 100);

        assertThat(fanOut.breadth()).isEqualTo(Breadth.NEEDED);
    }
}
