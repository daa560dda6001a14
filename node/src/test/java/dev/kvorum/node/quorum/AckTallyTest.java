package dev.kvorum.node.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.quorum.AckTally.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AckTallyTest {
    private static final int REPLIES = 5;

    private record Reply(String replica, boolean success) {
        Verdict countIn(AckTally tally) {
            return success ? tally.success(replica) : tally.failure(replica);
        }
    }

    /** Every sequence of replies, repeated and contradicting ones included: the first reply of each replica counts. */
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({"1,1", "1,2", "2,2", "1,3", "2,3", "3,3", "1,4", "2,4", "3,4", "4,4"})
    void verdictIsThatOfTheModelAfterEverySequenceOfReplies(int ack, int from) {
        int sequences = (int) Math.pow(2 * from, REPLIES);
        for (int number = 0; number < sequences; number++) {
            AckTally tally = new AckTally(new Quorum(ack, from));
            Map<String, Boolean> first = new HashMap<>();
            for (Reply reply : sequence(number, from)) {
                first.putIfAbsent(reply.replica, reply.success);

                Verdict verdict = reply.countIn(tally);

                assertThat(verdict)
                        .as("sequence %s: %s", number, first)
                        .isEqualTo(model(ack, from, first))
                        .isEqualTo(tally.verdict());
                assertThat(tally.acks()).isEqualTo(acks(first));
            }
        }
    }

    /** The digits of the number are the replies. */
    private static List<Reply> sequence(int number, int from) {
        List<Reply> replies = new ArrayList<>(REPLIES);
        int rest = number;
        for (int i = 0; i < REPLIES; i++) {
            int digit = rest % (2 * from);
            replies.add(new Reply("n" + digit / 2, digit % 2 == 0));
            rest /= 2 * from;
        }
        return replies;
    }

    private static int acks(Map<String, Boolean> first) {
        return (int) first.values().stream().filter(success -> success).count();
    }

    private static Verdict model(int ack, int from, Map<String, Boolean> first) {
        int stillPossible = from - (first.size() - acks(first));
        if (acks(first) >= ack) {
            return Verdict.REACHED;
        }
        return stillPossible < ack ? Verdict.OUT_OF_REACH : Verdict.OPEN;
    }

    @Test
    void retriedReplicaDoesNotSatisfyTheQuorumTwice() {
        AckTally tally = new AckTally(new Quorum(2, 3));

        assertThat(tally.success("n1")).isEqualTo(Verdict.OPEN);
        assertThat(tally.success("n1")).isEqualTo(Verdict.OPEN);
        assertThat(tally.success("n2")).isEqualTo(Verdict.REACHED);
    }

    @Test
    void replicaBeyondThoseAskedIsABug() {
        AckTally tally = new AckTally(new Quorum(1, 2));
        tally.failure("n1");
        tally.success("n2");

        assertThatThrownBy(() -> tally.success("n3"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("n3 is none of the replicas [n1, n2]");
    }

    @Test
    void tallyKnowsItsQuorum() {
        Quorum quorum = new Quorum(2, 3);

        assertThat(new AckTally(quorum).quorum()).isEqualTo(quorum);
    }
}
