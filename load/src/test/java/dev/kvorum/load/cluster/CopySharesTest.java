package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopySharesTest {
    private static final double PARTITIONS = 4096;
    private static final double EXACT = 1e-5;

    /** What n1, n2 ... come to hold by the nodes' own placement, counted: it is part of the data format and never changes. */
    @ParameterizedTest(name = "{0} nodes and {1} more, {2} copies")
    @CsvSource(textBlock = """
            3, 2, 3, 4055
            3, 1, 3, 2029
            3, 2, 2, 3115
            3, 2, 1, 1633
            3, 3, 3, 6086
            4, 3, 3, 5459
            5, 3, 3, 4770
            5, 2, 4, 4631
            4, 2, 4, 5427
            7, 1, 4, 1920
            6, 4, 5, 8075
            1, 1, 1, 2067
            1, 4, 1, 3300
            2, 2, 2, 4054
            8, 5, 3, 4752
            10, 1, 7, 2460
            """)
    void thoseWhoJoinHoldWhatTheNodesPlacementGivesThem(int nodes, int more, int copies, int gained) {
        CopyShares shares = CopyShares.of(nodes + more, copies);

        double joining = IntStream.rangeClosed(nodes + 1, nodes + more)
                .mapToDouble(shares::share)
                .sum();

        assertThat(gained / PARTITIONS / joining).isCloseTo(1, within(0.05)); // The rest is the luck of the hash.
    }

    @Test
    void twoOfAZoneShareItsCopyAndOneAloneHoldsAll() {
        CopyShares shares = CopyShares.of(5, 3); // z1 {1, 4}, z2 {2, 5}, z3 {3}

        assertThat(IntStream.rangeClosed(1, 5).mapToDouble(shares::share).toArray())
                .containsExactly(new double[] {0.5, 0.5, 1, 0.5, 0.5}, within(EXACT));
    }

    /** The best of the two is better than the one with a chance of 2 in 3. */
    @Test
    void greaterZoneHasTheBestNodeMoreOften() {
        CopyShares shares = new CopyShares(List.of("a", "b", "a"), 1);

        assertThat(shares.share(1)).isCloseTo(1 / 3.0, within(EXACT));
        assertThat(shares.share(2)).isCloseTo(1 / 3.0, within(EXACT));
    }

    /** One of the three is not in: the one alone with a chance of 8 in 15, the integral of (1 - x²)². */
    @Test
    void zoneOfOneNodeIsLeftOutMoreOftenThanZonesOfTwo() {
        CopyShares shares = CopyShares.of(5, 2);

        assertThat(shares.share(3)).isCloseTo(7 / 15.0, within(EXACT));
        assertThat(shares.share(1)).isCloseTo((2 - 7 / 15.0) / 4, within(EXACT));
    }

    @Test
    void sharesSumUpToTheCopies() {
        for (int nodes = 1; nodes <= 9; nodes++) {
            for (int zones = 1; zones <= nodes; zones++) {
                int ofZones = zones;
                List<String> turns = IntStream.range(0, nodes)
                        .mapToObj(node -> "z" + node % ofZones)
                        .toList();
                for (int copies = 1; copies <= nodes; copies++) {
                    CopyShares shares = new CopyShares(turns, copies);

                    assertThat(IntStream.rangeClosed(1, nodes)
                                    .mapToDouble(shares::share)
                                    .sum())
                            .describedAs("%d nodes, %d zones, %d copies", nodes, zones, copies)
                            .isCloseTo(copies, within(1e-3));
                }
            }
        }
    }

    @Test
    void everyNodeHoldsAllWhereCopiesAreAsManyOrMore() {
        assertThat(CopyShares.of(2, 2).share(2)).isCloseTo(1, within(EXACT));
        assertThat(CopyShares.of(2, 3).share(1)).isCloseTo(1, within(EXACT));
    }
}
