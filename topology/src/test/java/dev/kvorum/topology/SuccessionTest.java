package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SuccessionTest {
    private static final Topology STEADY = of(1, Reads.CURRENT, "a", "b", "c");
    private static final Topology BEGUN = of(2, Reads.CURRENT, "a", "b", "-c", "+d");
    private static final Topology SWITCHED = of(3, Reads.NEXT, "a", "b", "-c", "+d");
    private static final Topology BACK = of(4, Reads.BACK, "a", "b", "-c", "+d");

    /** {@code +} joins, {@code -} leaves. */
    private static Topology of(long epoch, Reads reads, String... members) {
        return new Topology(
                "demo",
                epoch,
                3,
                16,
                Arrays.stream(members).map(SuccessionTest::member).toList(),
                reads);
    }

    private static Member member(String sign) {
        String id = sign.replaceAll("[+-]", "");
        MemberState state = sign.startsWith("+")
                ? MemberState.JOINING
                : sign.startsWith("-") ? MemberState.LEAVING : MemberState.ACTIVE;
        return new Member(
                id, URI.create("http://" + id + ":1"), URI.create("http://" + id + ":2"), "z", state, 1, null);
    }

    static Stream<Arguments> steps() {
        return Stream.of(
                Arguments.of("nothing that matters changes", STEADY, of(2, Reads.CURRENT, "c", "b", "a")),
                Arguments.of("begin", STEADY, BEGUN),
                Arguments.of("switch", BEGUN, SWITCHED),
                Arguments.of("switch back", SWITCHED, of(4, Reads.BACK, "a", "b", "-c", "+d")),
                Arguments.of("switch again", BACK, of(5, Reads.NEXT, "a", "b", "-c", "+d")),
                Arguments.of("cancel once back", BACK, of(5, Reads.CURRENT, "a", "b", "c")),
                Arguments.of("finish", SWITCHED, of(4, Reads.CURRENT, "a", "b", "d")),
                Arguments.of("cancel", BEGUN, of(3, Reads.CURRENT, "a", "b", "c")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void stepIsAllowed(String what, Topology present, Topology next) {
        assertThat(Succession.refusal(present, next)).as(what).isEmpty();
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("an epoch left out", STEADY, of(3, Reads.CURRENT, "a", "b", "c"), "must be 2"),
                Arguments.of(
                        "a member at once", STEADY, of(2, Reads.CURRENT, "a", "b", "c", "d"), "are not the present"),
                Arguments.of("without a member", STEADY, of(2, Reads.CURRENT, "a", "b"), "are not the present"),
                Arguments.of("begin with the reads", STEADY, of(2, Reads.NEXT, "a", "b", "-c"), "reads CURRENT"),
                Arguments.of("finish before the reads", BEGUN, of(3, Reads.CURRENT, "a", "b", "d"), "with reads NEXT"),
                Arguments.of("another beside it", BEGUN, of(3, Reads.CURRENT, "a", "-b", "-c", "+d"), "is running"),
                Arguments.of("cancel after the reads", SWITCHED, of(4, Reads.CURRENT, "a", "b", "c"), "go back"),
                Arguments.of("forget the switch", SWITCHED, of(4, Reads.CURRENT, "a", "b", "-c", "+d"), "reads BACK"),
                Arguments.of("forget it later", BACK, of(5, Reads.CURRENT, "a", "b", "-c", "+d"), "with reads NEXT"),
                Arguments.of("finish once back", BACK, of(5, Reads.CURRENT, "a", "b", "d"), "be cancelled"),
                Arguments.of("back from nowhere", BEGUN, of(3, Reads.BACK, "a", "b", "-c", "+d"), "with reads NEXT"),
                Arguments.of(
                        "another replication factor",
                        STEADY,
                        new Topology("demo", 2, 2, 16, STEADY.members()),
                        "they are fixed"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void anythingElseIsRefusedWithTheReason(String what, Topology present, Topology next, String reason) {
        assertThat(Succession.refusal(present, next)).as(what).get().asString().contains(reason);
    }

    @Test
    void switchedTopologyIsReadAsItWasWritten() {
        assertThat(TopologyJson.read(TopologyJson.write(SWITCHED))).isEqualTo(SWITCHED);
        assertThat(SWITCHED.readOwners()).extracting(Member::id).isEqualTo(List.of("a", "b", "d"));
    }
}
