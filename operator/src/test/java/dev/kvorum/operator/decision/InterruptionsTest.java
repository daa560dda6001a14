package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Member;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An operator that is ended again and again: of each decision only a part is done, in any order, while nodes come and go and the spec changes. Whatever happens, no member loses its
 * pod or its volume, at most one serving pod is replaced at a time, and in the end the cluster is as its spec asks. A failure prints the seed, which is the argument.
 */
class InterruptionsTest {
    private static final int ROUNDS = 150;
    private static final List<String> SPECS = List.of(
            "{replicas: 3, storage: {retention: Delete}}",
            "{replicas: 4, storage: {retention: Delete}}",
            "{replicas: 5, storage: {retention: Delete}}",
            "{replicas: 6, storage: {size: 20Gi, retention: Delete}}");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whateverOfADecisionIsDoneNothingIsLost(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Situation situation = Situation.running(SPECS.getFirst());

        for (int round = 0; round < ROUNDS; round++) {
            disturb(situation, random);
            int serving = serving(situation);
            situation.stepInPart(random);
            checkMembers(situation, seed);
            assertThat(serving(situation)).as("seed %d, round %d", seed, round).isGreaterThanOrEqualTo(serving - 1);
        }
        situation.recover();
        situation.spec(SPECS.get(1)).settle();

        assertThat(situation.topology().members()).hasSize(4);
        assertThat(situation.pods).hasSize(4);
        assertThat(situation.volumes).hasSize(4);
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

    private static int serving(Situation situation) {
        return (int) situation.topology().members().stream()
                .filter(member -> situation.pods.containsKey(member.id())
                        && situation.pods.get(member.id()).ready())
                .count();
    }

    private static void checkMembers(Situation situation, long seed) {
        for (Member member : situation.topology().members()) {
            assertThat(situation.pods).as("seed %d", seed).containsKey(member.id());
            assertThat(situation.volumes.get(member.id())).as("seed %d", seed).isNotNull();
            assertThat(situation.volumes.get(member.id()).removed())
                    .as("seed %d", seed)
                    .isNull();
        }
    }
}
