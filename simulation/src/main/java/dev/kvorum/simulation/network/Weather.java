package dev.kvorum.simulation.network;

import dev.kvorum.simulation.world.Chance;

/**
 * How long messages take on a good day. All in nanoseconds of true time.
 *
 * @param latencyMin how long each takes at least
 * @param latencyMean how much more they take on average
 * @param spikeChance how likely one takes much longer
 * @param spikeMax how much longer at most
 * @param ordered whether no message overtakes another of the same link, as within one connection
 */
public record Weather(long latencyMin, long latencyMean, double spikeChance, long spikeMax, boolean ordered) {
    /** How long the next one takes. */
    long latency(Chance chance) {
        long spike = chance.is(spikeChance) ? chance.from(0, spikeMax) : 0;
        return latencyMin + chance.exponential(latencyMean) + spike;
    }
}
