package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Member;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An operator that is ended again and again: of each decision only a part is done, in any order, while nodes come and go and the spec changes,
 * and another operator does late what it has decided before. Whatever happens, no member loses its
 * pod or its volume, an operator replaces at most one serving pod at a time, and in the end the cluster is as its spec asks. A failure prints the seed, which is the argument.
 */
class InterruptionsTest {
    private static final int SEEDS = 30; // A few seconds of them; 1 to 400 have held as well.
    private static final int ROUNDS = 150;
    private static final List<String> SPECS = List.of(
            "{partitions: 64, replicas: 3, storage: {retention: Delete}}",
            "{partitions: 64, replicas: 4, storage: {retention: Delete}}",
            "{partitions: 64, replicas: 5, storage: {retention: Delete}}",
            "{partitions: 64, replicas: 6, storage: {size: 20Gi, retention: Delete}}");

    @ParameterizedTest
    @MethodSource("seeds")
    void whateverOfADecisionIsDoneNothingIsLost(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Situation situation = Situation.running(SPECS.getFirst());

        Runnable late = () -> {}; // What another operator has decided and not done yet.
        for (int round = 0; round < ROUNDS; round++) {
            disturb(situation, random);
            Set<String> serving = serving(situation);
            situation.stepInPart(random);
            assertThat(lost(serving, situation))
                    .as("seed %d, round %d", seed, round)
                    .hasSizeLessThanOrEqualTo(1);
            if (random.nextInt(8) == 0) {
                late.run();
                late = situation.stepLate();
            }
            checkMembers(situation, seed);
        }
        situation.recover();
        situation.spec(SPECS.get(1)).settle();

        assertThat(situation.topology().members()).hasSize(4);
        assertThat(situation.pods).hasSize(4);
        assertThat(situation.volumes).containsKeys("demo-0", "demo-1", "demo-2", "demo-3");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    private static void disturb(Situation situation, SplittableRandom random) {
        switch (random.nextInt(12)) {
            case 0 -> situation.spec(SPECS.get(random.nextInt(SPECS.size())));
            case 1 -> situation.newRevision("r" + random.nextInt(1000));
            case 2 -> situation.cutOff(any(situation, random));
            case 3, 4, 5 -> situation.recover();
            default -> {
                // Nothing this time.
            }
        }
    }

    private static String any(Situation situation, SplittableRandom random) {
        List<String> ids = List.copyOf(situation.pods.keySet());
        return ids.get(random.nextInt(ids.size()));
    }

    /** The pods of members that serve, by their uids. */
    private static Set<String> serving(Situation situation) {
        return situation.topology().members().stream()
                .map(member -> situation.pods.get(member.id()))
                .filter(pod -> pod != null && pod.ready())
                .map(Observed.PodState::uid)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Those of them that are not there any more, though their nodes are still members. */
    private static Set<String> lost(Set<String> serving, Situation situation) {
        Set<String> members = situation.topology().members().stream()
                .map(member -> "p-" + member.id() + "-")
                .collect(Collectors.toUnmodifiableSet());
        Set<String> now = serving(situation);
        return serving.stream()
                .filter(uid -> !now.contains(uid) && members.contains(uid.substring(0, uid.lastIndexOf('-') + 1)))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static void checkMembers(Situation situation, long seed) {
        for (Member member : situation.topology().members()) {
            if (situation.sets.containsKey(
                    member.zone())) { // Between two of them, somebody who comes late may end a pod.
                assertThat(situation.pods).as("seed %d", seed).containsKey(member.id());
            }
            assertThat(situation.volumes.get(member.id())).as("seed %d", seed).isNotNull();
            assertThat(situation.volumes.get(member.id()).removed())
                    .as("seed %d", seed)
                    .isNull();
        }
    }
}
