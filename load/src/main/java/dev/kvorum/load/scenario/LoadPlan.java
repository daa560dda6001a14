package dev.kvorum.load.scenario;

import dev.kvorum.load.generate.KeyChoice;
import dev.kvorum.load.generate.Traffic;
import dev.kvorum.load.generate.Traffic.Weight;
import dev.kvorum.load.generate.ValueSizes;
import dev.kvorum.load.generate.ZipfKeys;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The load of a variant.
 *
 * @param keys         how many there are; all are written before the load begins
 * @param values       how long they are
 * @param zipfExponent of the keys' popularity; 0 is uniform
 * @param connections  to each node that is asked
 * @param inFlight     requests begun and not yet answered, at most
 * @param duration     of the measurement
 * @param warmUp       how long the same requests are sent before it as fast as they are answered, and not measured
 * @param settling     how long they are sent between the two as they are measured then, and not measured
 * @param timeout      of one request
 * @param coordinators which nodes clients ask
 * @param linearizable whether operations are that: then the quorum is the node's choice
 */
public record LoadPlan(
        List<Weight> mix,
        int ack,
        int from,
        int keys,
        ValueSizes values,
        double zipfExponent,
        Aim aim,
        int connections,
        int inFlight,
        Duration duration,
        Duration warmUp,
        Duration settling,
        Duration timeout,
        Coordinators coordinators,
        boolean linearizable) {

    /** Which nodes clients ask: never one that a fault befalls. */
    public enum Coordinators {
        FIRST,
        HEALTHY
    }

    public LoadPlan {
        mix = List.copyOf(mix);
    }

    /** @param seed another for each round, so that rounds don't repeat each other */
    public Traffic traffic(long seed) {
        KeyChoice choice = zipfExponent > 0 ? new ZipfKeys(keys, zipfExponent, seed) : KeyChoice.uniform(keys, seed);
        return new Traffic(mix, choice, ack, from, values, new SplittableRandom(seed + 1), linearizable);
    }

    /** Of every key, as the store is filled: no fewer than what reads ask, so that none finds a hole. */
    public int copies(ClusterPlan cluster) {
        return Math.max(from, cluster.replicationFactor());
    }

    LoadPlan lasting(Duration length) {
        return with(aim, length);
    }

    LoadPlan aimingAt(Aim other) {
        return with(other, duration);
    }

    private LoadPlan with(Aim aim, Duration duration) {
        return new LoadPlan(
                mix,
                ack,
                from,
                keys,
                values,
                zipfExponent,
                aim,
                connections,
                inFlight,
                duration,
                warmUp,
                settling,
                timeout,
                coordinators,
                linearizable);
    }
}
