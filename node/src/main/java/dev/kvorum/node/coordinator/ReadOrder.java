package dev.kvorum.node.coordinator;

import dev.kvorum.node.config.ReadSettings.Placement;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaHealth;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The order in which a read asks replicas: those that can be counted on before the others, of these the slow ones last, then this node's own first, then by
 * zone, and among equals the less costly of two taken by chance. Any thread.
 *
 * <p>Slow is whoever has lately taken more than twice as long as the quickest of the other members, and {@link HedgeDelay#min} on top: nearness is worth what zones
 * differ by, not a read that waits. This node's own store is no measure for others, as it answers in a tenth of the time; nor is a member that has answered no read for two seconds.
 *
 * <p>Two by chance, and not the best of all: else all nodes would send all their reads to the one that has just been quick.
 * Source: Mitzenmacher, "The power of two choices in randomized load balancing" (2001).
 */
public final class ReadOrder {
    private static final int OWN = 0;
    private static final int PREFERRED = 1;
    private static final int OTHER = 2;
    private static final int SLOW = 4; // On top of the others: they keep their order among themselves.
    private static final int NOT_TRUSTED = 8; // The same.
    private static final double SLOW_MIN = 2; // Times the average of the quickest.

    private final Placement placement;
    private final HedgeDelay hedgeDelay;
    private final IntUnaryOperator chance;

    /** @param chance a number from 0 to below the one given; any thread */
    public ReadOrder(Placement placement, HedgeDelay hedgeDelay, IntUnaryOperator chance) {
        this.placement = placement;
        this.hedgeDelay = hedgeDelay;
        this.chance = chance;
    }

    /**
     * Orders them in place.
     *
     * @return how many can be counted on: they come first
     */
    int arrange(List<ObservedReplica> replicas, ClusterView view, long now) {
        int[] ranks = new int[replicas.size()];
        int trusted = 0;
        for (int i = 0; i < ranks.length; i++) {
            ObservedReplica replica = replicas.get(i);
            boolean isTrusted = replica.health().isTrusted(now);
            ranks[i] = rank(replica, view) + (isTrusted ? 0 : NOT_TRUSTED);
            trusted += isTrusted ? 1 : 0;
        }
        demoteSlow(replicas, ranks, now);
        for (int i = 0; i < ranks.length - 1; i++) {
            int best = best(replicas, ranks, i, now);
            swap(replicas, ranks, i, best);
            demoteZoneOf(replicas, ranks, i);
        }
        return trusted;
    }

    /** None is slow where nothing is known of other members that can be counted on, or nothing new. */
    private void demoteSlow(List<ObservedReplica> replicas, int[] ranks, long now) {
        double quickest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < ranks.length; i++) {
            ReplicaHealth health = replicas.get(i).health();
            if (ranks[i] != OWN && ranks[i] < NOT_TRUSTED && health.isMeasured(now)) {
                quickest = Math.min(quickest, health.average(now));
            }
        }
        double slow = SLOW_MIN * quickest + hedgeDelay.min();
        for (int i = 0; i < ranks.length; i++) {
            if (replicas.get(i).health().average(now) > slow) {
                ranks[i] += SLOW;
            }
        }
    }

    private int rank(ObservedReplica replica, ClusterView view) {
        if (replica.member().equals(view.self())) {
            return OWN;
        }
        return switch (placement) {
            case NEAR -> replica.zone().equals(view.zone()) ? PREFERRED : OTHER;
            case SPREAD -> PREFERRED; // Until another of its zone has been chosen.
        };
    }

    private void demoteZoneOf(List<ObservedReplica> replicas, int[] ranks, int chosen) {
        if (placement != Placement.SPREAD) {
            return;
        }
        String zone = replicas.get(chosen).zone();
        for (int i = chosen + 1; i < ranks.length; i++) {
            if ((ranks[i] & PREFERRED) != 0 && replicas.get(i).zone().equals(zone)) {
                ranks[i] += OTHER - PREFERRED;
            }
        }
    }

    /** The index of the one to be asked next, from {@code from} on. */
    private int best(List<ObservedReplica> replicas, int[] ranks, int from, long now) {
        int lowest = from;
        int ties = 1;
        for (int i = from + 1; i < ranks.length; i++) {
            if (ranks[i] < ranks[lowest]) {
                lowest = i;
                ties = 1;
            } else if (ranks[i] == ranks[lowest]) {
                ties++;
            }
        }
        if (ties == 1) {
            return lowest;
        }
        int one = chance.applyAsInt(ties);
        int other = (one + 1 + chance.applyAsInt(ties - 1)) % ties;
        return cheaper(replicas, nth(ranks, lowest, one), nth(ranks, lowest, other), now);
    }

    /** The index of the n-th among those that rank like that at {@code first}, from there on. */
    private static int nth(int[] ranks, int first, int n) {
        int left = n;
        for (int i = first; ; i++) {
            if (ranks[i] == ranks[first] && left-- == 0) {
                return i;
            }
        }
    }

    private static int cheaper(List<ObservedReplica> replicas, int one, int other, long now) {
        double costOfOne = replicas.get(one).health().cost(now);
        return costOfOne <= replicas.get(other).health().cost(now) ? one : other;
    }

    private static void swap(List<ObservedReplica> replicas, int[] ranks, int i, int j) {
        Collections.swap(replicas, i, j);
        int rank = ranks[i];
        ranks[i] = ranks[j];
        ranks[j] = rank;
    }
}
