package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kvorum.load.cluster.ChangeCommand;
import dev.kvorum.load.scenario.ScenarioFile;
import dev.kvorum.load.scenario.Variant;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ScalingTest {
    private static final long PAUSE_MILLIS = 10;

    @Test
    void threeNodesThatBecomeFiveMoveOneCopyOfEachKeyOutAndOneBack() {
        Variant variant = variant(3, 3, 10);

        double least = Scaling.leastBytes(variant.load(), variant.cluster(), 2);

        assertThat(least).isCloseTo(2 * 10 * (5 + 32 + 100), within(1.0)); // "key-0" to "key-9"
    }

    /** As one would that sees no zones: each of the five holds a fifth of all copies. */
    @Test
    void placementThatGivesThoseWhoJoinAFifthOfAllEachMovesMoreThanTheLeast() {
        Variant variant = variant(3, 3, 10);

        double dealt = 2 * 3 * 10 * 2 / 5.0 * (5 + 32 + 100);

        assertThat(dealt / Scaling.leastBytes(variant.load(), variant.cluster(), 2))
                .isCloseTo(1.2, within(0.001));
    }

    @Test
    void waitForHalfEndsWhenHalfIsLeft() throws Exception {
        ChangeCommand.Running command = running("exec cat"); // Its input never ends.
        Iterator<Double> left = List.of(0.0, 100.0, 200.0, 101.0, 100.0).iterator();

        try {
            Scaling.awaitHalf(command, left::next, PAUSE_MILLIS);
        } finally {
            command.end();
        }

        assertThat(left.hasNext()).isFalse();
    }

    @Test
    void waitForHalfEndsWhenTheChangeWasRefused() throws Exception {
        ChangeCommand.Running command = running("exit 1");

        assertThatThrownBy(() -> Scaling.awaitHalf(command, () -> 0, PAUSE_MILLIS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("scaling.log");
    }

    @Test
    void waitForHalfEndsWhenTheChangeIsFinalBeforeAnythingWasSeenOfIt() throws Exception {
        ChangeCommand.Running command = running("exit 0");

        assertThatThrownBy(() -> Scaling.awaitHalf(command, () -> 0, PAUSE_MILLIS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too few keys");
    }

    @Test
    void waitForHalfEndsWhenAllIsMoved() throws Exception {
        ChangeCommand.Running command = running("exec cat");
        Iterator<Double> left = List.of(100.0, 0.0).iterator();

        try {
            assertThatThrownBy(() -> Scaling.awaitHalf(command, left::next, PAUSE_MILLIS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("too few keys");
        } finally {
            command.end();
        }
    }

    private static ChangeCommand.Running running(String script) throws IOException {
        return new ChangeCommand.Running(new ProcessBuilder("sh", "-c", script).start());
    }

    private static Variant variant(int nodes, int copies, int keys) {
        return ScenarioFile.parse("test", """
                title: A title
                why: A reason
                nodes: %d
                replication-factor: %d
                load: {mix: {GET: 1}, keys: %d, value-size: 100, rate: 1}
                variants:
                  - name: scaled
                    what: Two more
                    fault: {scaled: {more: 2}}
                expect:
                  - moved of scaled <= 2
                """.formatted(nodes, copies, keys))
                .variants()
                .getFirst();
    }
}
