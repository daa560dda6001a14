package dev.kvorum.load.scenario;

import dev.kvorum.load.generate.KeyChoice;
import dev.kvorum.load.generate.Traffic;
import dev.kvorum.load.generate.Traffic.Weight;
import dev.kvorum.load.generate.ValueSizes;
import dev.kvorum.load.generate.ZipfKeys;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** The load of a variant. */
public record LoadPlan(Requests requests, Data data, Aim aim, Senders senders, Lengths lengths) {
    /**
     * What is asked.
     *
     * @param linearizable whether operations are that: then the quorum is the node's choice
     */
    public record Requests(List<Weight> mix, int ack, int from, boolean linearizable) {
        public Requests {
            mix = List.copyOf(mix);
        }
    }

    /**
     * What it is asked of.
     *
     * @param keys         how many there are; all are written before the load begins
     * @param values       how long they are
     * @param zipfExponent of the keys' popularity; 0 is uniform
     */
    public record Data(int keys, ValueSizes values, double zipfExponent) {}

    /**
     * How requests are sent.
     *
     * @param connections  to each node that is asked
     * @param inFlight     requests begun and not yet answered, at most
     * @param coordinators which nodes clients ask
     */
    public record Senders(int connections, int inFlight, Coordinators coordinators) {}

    /**
     * How long what takes.
     *
     * @param measured the measurement
     * @param warmUp   the same requests before it as fast as they are answered, not measured
     * @param settling the same between the two as they are measured then, not measured
     * @param timeout  one request at most
     */
    public record Lengths(Duration measured, Duration warmUp, Duration settling, Duration timeout) {}

    /** Which nodes clients ask: never one that a fault befalls. */
    public enum Coordinators {
        FIRST,
        HEALTHY
    }

    /** @param seed another for each round, so that rounds don't repeat each other */
    public Traffic traffic(long seed) {
        KeyChoice choice = data.zipfExponent > 0
                ? new ZipfKeys(data.keys, data.zipfExponent, seed)
                : KeyChoice.uniform(data.keys, seed);
        return new Traffic(
                requests.mix,
                choice,
                requests.ack,
                requests.from,
                data.values,
                new SplittableRandom(seed + 1),
                requests.linearizable);
    }

    /** Of every key, as the store is filled: no fewer than what reads ask, so that none finds a hole. */
    public int copies(ClusterPlan cluster) {
        return Math.max(requests.from, cluster.replicationFactor());
    }

    LoadPlan lasting(Duration length) {
        Lengths others = new Lengths(length, lengths.warmUp, lengths.settling, lengths.timeout);
        return new LoadPlan(requests, data, aim, senders, others);
    }

    LoadPlan aimingAt(Aim other) {
        return new LoadPlan(requests, data, other, senders, lengths);
    }
}
