package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvorum.load.generate.StretchResult.Part;
import dev.kvorum.load.measure.NodeSample;
import dev.kvorum.load.run.Stretches.Second;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverloadRunTest {
    private static final Part NORMAL =
            Stretches.of(Collections.nCopies(10, new Second(1000, 4, 0, 0))).settled();

    /** Ten seconds of normal load, then twenty more. */
    private static List<NodeSample> samples(String node, double before, double overload, double after) {
        List<NodeSample> samples = new ArrayList<>();
        for (int second = 0; second < 30; second++) {
            double rss = second < 10 ? before : second < 20 ? overload : after;
            samples.add(new NodeSample(node, Stretches.START + second * 1000L, 0, rss, 0, 0, null));
        }
        return samples;
    }

    @Test
    void surgeIsTheMostSinceTheOverloadBeganOverTheNormalLoad() {
        List<NodeSample> samples = new ArrayList<>(samples("n1", 300, 315, 303));
        samples.addAll(samples("n2", 320, 321, 320));

        assertThat(OverloadRun.surgePercent(samples, NORMAL, NodeSample::rssMiB).orElseThrow())
                .isCloseTo(5, within(0.001));
    }

    @Test
    void whatOnlyGrowsAfterTheOverloadCountsToo() {
        assertThat(OverloadRun.surgePercent(samples("n1", 300, 300, 330), NORMAL, NodeSample::rssMiB)
                        .orElseThrow())
                .isCloseTo(10, within(0.001));
    }

    @Test
    void nodeThatWasNotSeenInBothHasNoSurge() {
        assertThat(OverloadRun.surgePercent(samples("n1", 300, 300, 330).subList(0, 10), NORMAL, NodeSample::rssMiB))
                .isEmpty();
    }
}
