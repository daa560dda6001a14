package dev.kvorum.load.scenario;

import dev.kvorum.load.crowd.CrowdedPort;
import dev.kvorum.load.crowd.Habit;
import java.time.Duration;
import java.util.OptionalInt;

/** What befalls the nodes meanwhile. Nodes are numbered from 1; the first is the default coordinator, which clients talk to. */
public sealed interface FaultPlan {
    /** The one that something goes wrong with; empty where nothing does. */
    OptionalInt victim();

    /** From the beginning of the measurement. */
    Duration at();

    /**
     * Requests of other nodes to this one take longer.
     *
     * @param delay 0 for a node that is well behind the same proxy, which is what a slow one is compared with
     */
    record Slow(int node, Duration delay, Duration at) implements FaultPlan {
        @Override
        public OptionalInt victim() {
            return OptionalInt.of(node);
        }
    }

    /** The process is stopped (SIGSTOP): its connections stay, nothing answers. */
    record Frozen(int node, Duration at) implements FaultPlan {
        @Override
        public OptionalInt victim() {
            return OptionalInt.of(node);
        }
    }

    /** The process is killed (SIGKILL). */
    record Dead(int node, Duration at) implements FaultPlan {
        @Override
        public OptionalInt victim() {
            return OptionalInt.of(node);
        }
    }

    /**
     * Strangers crowd a port of a node, from before the measurement until its end.
     *
     * @param connections of them at a time
     */
    record Strangers(int node, CrowdedPort port, Habit habit, int connections) implements FaultPlan {
        @Override
        public OptionalInt victim() {
            return OptionalInt.empty(); // It serves on.
        }

        @Override
        public Duration at() {
            return Duration.ZERO;
        }
    }

    /**
     * That many nodes more become members, and when they are, they leave again; both have to be done before the end.
     *
     * @param cancelled their joining is taken back instead, when half of it is done
     */
    record Scaled(int more, boolean cancelled, Duration at) implements FaultPlan {
        @Override
        public OptionalInt victim() {
            return OptionalInt.empty();
        }
    }
}
