package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Version;
import dev.kvorum.node.clock.ClockObjection;
import dev.kvorum.node.quorum.Quorum;

/** How a write ended. Short of {@link Written} and {@link Unstamped} its fate is unknown: replicas may hold it, and readers may come to see it. */
public sealed interface WriteOutcome {
    /** At least {@code ack} replicas hold it. */
    record Written(Version version, int acks, Quorum quorum) implements WriteOutcome {}

    /** So many replicas failed that {@code ack} can't be reached. */
    record Unavailable(Shortfall shortfall) implements WriteOutcome {}

    /** The deadline passed with neither enough successes nor too many failures. */
    record TimedOut(Shortfall shortfall) implements WriteOutcome {}

    /** As {@link Unavailable}, but every failure was a refusal for lack of room. */
    record Rejected(Shortfall shortfall) implements WriteOutcome {}

    /** This node's clock is wrong, or was: it stamps nothing, and nothing was written. */
    record Unstamped(ClockObjection why) implements WriteOutcome {}
}
