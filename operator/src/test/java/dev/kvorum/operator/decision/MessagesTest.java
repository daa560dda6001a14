package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A command that a message names can be pasted whole: it stands between backquotes, alone. */
class MessagesTest {
    static Stream<Arguments> messages() {
        return Stream.of(
                named("a plan that waits for approval", () -> {
                    Situation situation = Situation.running("scaling: {approval: Manual}");
                    return situation
                            .spec("{replicas: 4, scaling: {approval: Manual}}")
                            .settle()
                            .membership()
                            .message();
                }),
                named("volumes of former members", () -> {
                    Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
                    situation.settle();
                    return situation.spec("replicas: 4").settle().membership().message();
                }),
                named("volumes of others", () -> {
                    Situation situation = Situation.running("").spec("replicas: 4");
                    situation.strangers.add("demo-3");
                    return situation.settle().membership().message();
                }),
                named("a member that can't be asked", () -> {
                    Situation situation = Situation.running("replicas: 4").spec("replicas: 3");
                    situation.lose("demo-3");
                    return situation.stepOften().membership().message();
                }),
                named("a lost topology", () -> {
                    Situation situation = Situation.running("").unpublished();
                    situation.reports.clear();
                    return situation.decide().obstacle().message();
                }),
                named("lost data", () -> {
                    Situation situation = Situation.running("");
                    List.of("demo-0", "demo-1", "demo-2").forEach(situation::rebuildElsewhere);
                    return situation.decide().membership().message();
                }),
                named("the last copy", () -> {
                    Situation situation = Situation.running("replicationFactor: 1");
                    situation.deleteVolume("demo-1");
                    return situation.decide().rollout().message();
                }));
    }

    private static Arguments named(String name, Supplier<String> message) {
        return Arguments.of(name, message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("messages")
    void commandsStandAloneBetweenBackquotes(String name, Supplier<String> told) {
        String message = told.get();

        String[] parts = message.split("`", -1);
        assertThat(parts.length).as(message).isGreaterThan(2).isOdd();
        for (int i = 0; i < parts.length; i++) {
            assertThat(parts[i].contains("kubectl ")).as(message).isEqualTo(i % 2 == 1);
            if (i % 2 == 1) {
                assertThat(parts[i]).startsWith("kubectl ").contains(" -n shop").doesNotContain("(", "<", "...");
            }
        }
    }
}
