package dev.kvorum.load.scenario;

import dev.kvorum.load.generate.Operation;
import java.util.List;

/** Which variants can take turns on one cluster, instead of a new one for each of their rounds: those that leave it as they found it. */
final class OneCluster {
    static final String NEEDED =
            "true only where all variants have the same nodes, keys, copies and value sizes, a rate or a closed loop that settles,"
                    + " no DELETE, and no fault, strangers, or all of them slow, with the same node";

    private OneCluster() {}

    static boolean canServe(List<Variant> variants) {
        Variant first = variants.getFirst();
        return variants.stream()
                .allMatch(variant -> isFilledAs(first, variant)
                        && leavesItAsItWas(variant)
                        && variant.slowNode().equals(first.slowNode()));
    }

    private static boolean isFilledAs(Variant first, Variant variant) {
        LoadPlan load = variant.load();
        LoadPlan filled = first.load();
        return variant.cluster().equals(first.cluster())
                && load.data().keys() == filled.data().keys()
                && load.copies(variant.cluster()) == filled.copies(first.cluster())
                && load.data().values().equals(filled.data().values());
    }

    /** What was frozen or dead has something to catch up with, which would be measured with the next variant. */
    private static boolean leavesItAsItWas(Variant variant) {
        LoadPlan load = variant.load();
        return !load.lengths().settling().isZero() // Which only a rate and a closed loop do.
                && load.requests().mix().stream().noneMatch(weight -> weight.operation() == Operation.DELETE)
                && variant.fault()
                        .map(fault -> fault instanceof FaultPlan.Slow || fault instanceof FaultPlan.Strangers)
                        .orElse(true);
    }
}
