package dev.kvorum.load.cluster;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How many of a key's copies a node holds on average, from 0 to 1, where copies are spread over the zones as nodes spread them: chance ranks the nodes within
 * their zone, the best of every zone come before the second best of any, and chance orders those of one rank. Any thread.
 *
 * <p>By arithmetic, not by the nodes' own hash: a placement that gives those who join more than their share must not be its own yardstick.
 */
public final class CopyShares {
    private static final int STEPS = 1_000; // Of the integral; it is then exact to six digits.

    private final List<String> zones;
    private final Map<String, Integer> sizes = new TreeMap<>();
    private final int lastRank;
    private final int places;

    /** Of the nodes that a {@link LocalCluster} has. */
    public static CopyShares of(int nodes, int copies) {
        return new CopyShares(
                IntStream.rangeClosed(1, nodes).mapToObj(LocalCluster::zone).toList(), copies);
    }

    /** @param zones of all nodes */
    CopyShares(List<String> zones, int copies) {
        this.zones = List.copyOf(zones);
        zones.forEach(zone -> sizes.merge(zone, 1, Integer::sum));
        int rank = 1;
        int left = Math.min(copies, zones.size());
        while (left > zonesWith(rank)) {
            left -= zonesWith(rank);
            rank++;
        }
        this.lastRank = rank; // All above it hold a copy, and of those at it so many as there are places left.
        this.places = left;
    }

    private int zonesWith(int nodes) {
        return (int) sizes.values().stream().filter(size -> size >= nodes).count();
    }

    /** @param node its number, from 1 */
    public double share(int node) {
        String zone = zones.get(node - 1);
        int size = sizes.getOrDefault(zone, 0);
        return size < lastRank ? 1 : (lastRank - 1 + chanceAtLastRank(zone)) / size;
    }

    /** That a zone's node of the last rank gets one of the places: over all scores it may have, that of fewer other zones is better. */
    private double chanceAtLastRank(String zone) {
        List<Integer> others = sizes.entrySet().stream()
                .filter(other -> !other.getKey().equals(zone))
                .map(Map.Entry::getValue)
                .toList();
        int size = sizes.getOrDefault(zone, 0);
        double chance = 0;
        for (int step = 0; step < STEPS; step++) {
            double score = (step + 0.5) / STEPS; // As the share of all scores that are better.
            double hasIt = better(size, (step + 1.0) / STEPS) - better(size, (double) step / STEPS);
            chance += hasIt
                    * fewer(
                            places,
                            others.stream().map(other -> better(other, score)).toList());
        }
        return chance;
    }

    /** The chance that in a zone of that size the node of the last rank is better than that. */
    private double better(int size, double score) {
        return 1 - fewer(lastRank, Collections.nCopies(size, score));
    }

    /** The chance that fewer of the events come true than that. */
    private static double fewer(int than, List<Double> chances) {
        double[] exactly = new double[than]; // The chance that so many of those looked at have come true.
        exactly[0] = 1;
        for (double chance : chances) {
            for (int number = than - 1; number > 0; number--) {
                exactly[number] = exactly[number] * (1 - chance) + exactly[number - 1] * chance;
            }
            exactly[0] *= 1 - chance;
        }
        return Arrays.stream(exactly).sum();
    }
}
