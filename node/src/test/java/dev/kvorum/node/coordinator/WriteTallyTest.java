package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.AckTally;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply.Stored;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteTallyTest {
    private static final Version VERSION = new Version(1, 1);
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);

    private final WriteTally tally = new WriteTally(VERSION, new AckTally(TWO_OF_THREE));

    private static ReplicaFailure failure(String member, Reason reason) {
        return new ReplicaFailure(member, reason, "as the test says");
    }

    @Test
    void undecidedTallyThatWaitsNoLongerHasTimedOut() {
        tally.add(new Stored("n1"));
        tally.add(failure("n2", Reason.OVERLOADED));

        assertThat(tally.isDecided()).isFalse();
        assertThat(tally.outcome())
                .isEqualTo(new WriteOutcome.TimedOut(
                        new Shortfall(TWO_OF_THREE, 1, List.of(failure("n2", Reason.OVERLOADED)))));
    }

    @Test
    void enoughSuccessesAreAWriteWithItsVersion() {
        tally.add(failure("n1", Reason.BROKEN)).add(new Stored("n2")).add(new Stored("n3"));

        assertThat(tally.isDecided()).isTrue();
        assertThat(tally.outcome()).isEqualTo(new WriteOutcome.Written(VERSION, 2, TWO_OF_THREE));
    }

    @Test
    void successesBeyondTheQuorumAreCountedToo() {
        tally.add(new Stored("n1")).add(new Stored("n2")).add(new Stored("n3"));

        assertThat(tally.outcome()).isEqualTo(new WriteOutcome.Written(VERSION, 3, TWO_OF_THREE));
    }

    @Test
    void sameReplicaTwiceIsNotAQuorumOfTwo() {
        tally.add(new Stored("n1")).add(new Stored("n1"));

        assertThat(tally.isDecided()).isFalse();
    }

    @Test
    void refusalForLackOfRoomBesideAnotherFailureIsUnavailable() {
        tally.add(failure("n1", Reason.OVERLOADED)).add(failure("n2", Reason.BROKEN));

        assertThat(tally.isDecided()).isTrue();
        assertThat(tally.outcome()).isInstanceOf(WriteOutcome.Unavailable.class);
    }

    @Test
    void refusalsForLackOfRoomAloneAreRejected() {
        tally.add(new Stored("n3")).add(failure("n1", Reason.OVERLOADED)).add(failure("n2", Reason.OVERLOADED));

        assertThat(tally.outcome()).isInstanceOf(WriteOutcome.Rejected.class);
    }
}
