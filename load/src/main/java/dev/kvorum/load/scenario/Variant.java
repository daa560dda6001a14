package dev.kvorum.load.scenario;

import java.time.Duration;
import java.util.Optional;

/**
 * One of the things that a scenario compares.
 *
 * @param what one sentence for readers
 */
public record Variant(String name, String what, ClusterPlan cluster, LoadPlan load, Optional<FaultPlan> fault) {
    Variant lasting(Duration length) {
        return new Variant(name, what, cluster, load.lasting(length), fault);
    }
}
