package dev.kvorum.node.heartbeat;

import dev.kvorum.node.clock.ClockWatch;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.storage.WitnessNote;
import dev.kvorum.node.verification.DirectoryWatch;
import dev.kvorum.node.verification.LogMarks;
import dev.kvorum.node.verification.OwnProgress;
import dev.kvorum.node.verification.RememberedProgress;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** For tests of parts that heartbeats carry. */
public final class Heartbeats {
    private Heartbeats() {}

    /** Of a member whose directory never changes. */
    public static Heartbeat of(ClockWatch clocks, Membership membership, PeerCalls calls, Deadlines deadlines) {
        return of(clocks, membership, calls, deadlines, reason -> {});
    }

    /** @param whenOlder hears why its directory must be an older copy */
    static Heartbeat of(
            ClockWatch clocks,
            Membership membership,
            PeerCalls calls,
            Deadlines deadlines,
            Consumer<String> whenOlder) {
        WitnessNote none = new WitnessNote() {
            @Override
            public Optional<String> witnessed() {
                return Optional.empty();
            }

            @Override
            public void noteWitnessed(String note) {}
        };
        return new Heartbeat(
                clocks,
                new DirectoryWatch(
                        new OwnProgress(new UUID(1, 1), 1, () -> 1, whenOlder),
                        new RememberedProgress(none, membership),
                        new LogMarks(() -> 1, deadlines::now, 0)),
                membership,
                calls,
                deadlines);
    }
}
