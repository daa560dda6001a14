package dev.kvorum.load.scenario;

import dev.kvorum.load.generate.ValueSizes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One of the things that a scenario compares.
 *
 * @param what one sentence for readers
 */
public record Variant(String name, String what, ClusterPlan cluster, LoadPlan load, Optional<FaultPlan> fault) {
    static final String PART = "/";

    /** Itself where its load has no rate. */
    Variant atRate(double perSecond) {
        return load.aim() instanceof Aim.Rate
                ? new Variant(name, what, cluster, load.aimingAt(new Aim.Rate(perSecond)), fault)
                : this;
    }

    /** How expectations name the requests for values of that length, where a variant has several: its latencies only. */
    public String part(int bytes) {
        return name + PART + ValueSizes.name(bytes);
    }

    /** All of those names; empty where values are all as long. */
    List<String> parts() {
        return load.data().values().areMixed()
                ? load.data().values().weights().stream()
                        .map(weight -> part(weight.bytes()))
                        .toList()
                : List.of();
    }

    /** The one that a proxy stands before, which slows it or holds nothing back, from 1; empty for none. */
    public OptionalInt slowNode() {
        return fault.map(
                        plan -> plan instanceof FaultPlan.Slow slow ? OptionalInt.of(slow.node()) : OptionalInt.empty())
                .orElse(OptionalInt.empty());
    }

    Variant lasting(Duration length) {
        return new Variant(name, what, cluster, load.lasting(length), fault);
    }
}
