package dev.kvorum.topology.change;

import static dev.kvorum.topology.change.ChangingCluster.PARTITIONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnwritablePartitionsTest {
    private static final Topology THREE = ChangingCluster.of("n1", "n2", "n3");
    private static final Topology GROWING = ChangeTopologies.begin(THREE, ChangingCluster.add("n4"));

    @Test
    void oneSilentMemberOfThreeCostsNothingAndTwoCostEverything() {
        assertThat(UnwritablePartitions.of(THREE, Set.of("n1", "n2")))
                .isEqualTo(new UnwritablePartitions(0, List.of()));
        assertThat(UnwritablePartitions.of(THREE, Set.of("n1", "n2")).inWords()).isEmpty();

        assertThat(UnwritablePartitions.of(THREE, Set.of("n1", "n2", "n3")).count())
                .isZero();
        assertThat(UnwritablePartitions.of(THREE, Set.of("n1")))
                .isEqualTo(new UnwritablePartitions(PARTITIONS, List.of("n2", "n3")));
    }

    /** Two of the owners before, but only one of some owners after. */
    @Test
    void duringAChangeAMemberThatJoinsCountsAsWell() {
        UnwritablePartitions unwritable = UnwritablePartitions.of(GROWING, Set.of("n1", "n2"));

        assertThat(unwritable.count()).isBetween(1, PARTITIONS - 1);
        assertThat(unwritable.because()).containsExactly("n3", "n4");
        assertThat(unwritable.inWords()).contains("because of n3, n4");
    }
}
