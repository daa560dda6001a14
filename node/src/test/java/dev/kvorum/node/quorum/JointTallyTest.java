package dev.kvorum.node.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.quorum.AckTally.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JointTallyTest {
    /** Every order of every set of replies, for replicas that are the same, overlap or are all others. */
    @ParameterizedTest(name = "{0} of {1}, then {2} of {3}")
    @CsvSource({
        "1, a,   1, b",
        "1, a,   1, ab",
        "1, ab,  2, ab",
        "2, ab,  1, bc",
        "2, abc, 2, abd",
        "2, abc, 2, ab",
        "1, abc, 3, cde",
        "3, abc, 1, bcd",
        "2, abc, 2, cde",
        "2, ab, 2, abc",
        "1, ab, 2, cde"
    })
    void verdictIsThatOfTheModelAfterEverySequenceOfReplies(int ack, String ids, int otherAck, String otherIds) {
        JointQuorum joint = new JointQuorum(
                new Quorum(ack, ids.length()), list(ids), new Quorum(otherAck, otherIds.length()), list(otherIds));
        Set<String> all = new LinkedHashSet<>(list(ids + otherIds));

        follow(joint, all, Map.of(), List.of());
    }

    private static List<String> list(String ids) {
        return ids.chars().mapToObj(Character::toString).distinct().toList();
    }

    /** Tries all next replies behind these, of which the first of each replica counts. */
    private static void follow(JointQuorum joint, Set<String> all, Map<String, Boolean> first, List<String> sequence) {
        JointTally tally = new JointTally(joint);
        for (String reply : sequence) {
            String replica = reply.substring(1);
            Verdict verdict = reply.startsWith("+") ? tally.success(replica) : tally.failure(replica);
            assertThat(verdict).isEqualTo(tally.verdict());
            assertThat(tally.isCounted(replica)).isTrue();
            tally.failure(replica); // Counts replicas, not replies.
        }
        assertThat(tally.verdict()).as("%s after %s", joint, sequence).isEqualTo(model(joint, first));
        assertThat(tally.acks()).isEqualTo(Math.min(acks(joint.replicas(), first), acks(joint.otherReplicas(), first)));
        for (String replica : all) {
            if (!first.containsKey(replica)) {
                assertThat(tally.isCounted(replica)).isFalse();
                if (tally.verdict() == Verdict.OPEN) {
                    Map<String, Boolean> without = new HashMap<>(first);
                    without.put(replica, false);
                    assertThat(tally.canSpare(Set.of(replica)))
                            .as("%s of %s after %s", replica, joint, sequence)
                            .isEqualTo(model(joint, without) != Verdict.OUT_OF_REACH);
                }
                for (boolean success : new boolean[] {true, false}) {
                    Map<String, Boolean> next = new HashMap<>(first);
                    next.put(replica, success);
                    List<String> longer = new ArrayList<>(sequence);
                    longer.add((success ? "+" : "-") + replica);
                    follow(joint, all, next, longer);
                }
            }
        }
    }

    private static long acks(List<String> replicas, Map<String, Boolean> first) {
        return replicas.stream().filter(id -> first.getOrDefault(id, false)).count();
    }

    private static Verdict model(JointQuorum joint, Map<String, Boolean> first) {
        Verdict one = model(joint.quorum(), joint.replicas(), first);
        Verdict other = model(joint.otherQuorum(), joint.otherReplicas(), first);
        if (one == Verdict.REACHED && other == Verdict.REACHED) {
            return Verdict.REACHED;
        }
        return one == Verdict.OUT_OF_REACH || other == Verdict.OUT_OF_REACH ? Verdict.OUT_OF_REACH : Verdict.OPEN;
    }

    private static Verdict model(Quorum quorum, List<String> replicas, Map<String, Boolean> first) {
        long failed =
                replicas.stream().filter(id -> !first.getOrDefault(id, true)).count();
        if (acks(replicas, first) >= quorum.ack()) {
            return Verdict.REACHED;
        }
        return quorum.from() - failed < quorum.ack() ? Verdict.OUT_OF_REACH : Verdict.OPEN;
    }

    @Test
    void receiptTellsTheSmallerOfBoth() {
        JointTally tally =
                new JointTally(new JointQuorum(new Quorum(2, 3), list("abc"), new Quorum(2, 3), list("ade")));

        tally.success("a");
        tally.success("b");
        tally.success("c");
        tally.success("d");

        assertThat(tally.verdict()).isEqualTo(Verdict.REACHED);
        assertThat(tally.acks()).isEqualTo(2);
        assertThat(tally.quorum()).isEqualTo(new Quorum(2, 3));
    }

    @Test
    void quorumOfOthersThanItsReplicasIsABug() {
        Quorum quorum = new Quorum(1, 2);

        assertThatThrownBy(() -> new JointQuorum(quorum, list("a"), quorum, list("bc")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
