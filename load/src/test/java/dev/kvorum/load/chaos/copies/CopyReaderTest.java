package dev.kvorum.load.chaos.copies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.history.Copy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopyReaderTest {
    private static final String TOPOLOGY = """
            {"epoch": 7, "partitions": [["a", "b", "c"]]}""";
    private static final String OLD = "01a1fe425028000076ff4071f97f69d2";
    private static final String NEW = "01a1fe425028000176ff4071f97f69d2";

    private final CopyReader reader = new CopyReader();

    private List<Copy> read(FakeMember... members) throws Exception {
        List<String> ids = List.of("a", "b", "c", "d");
        List<Source> sources = new ArrayList<>();
        for (FakeMember member : members) {
            sources.add(member.source(ids.get(sources.size())));
        }
        return reader.read(sources);
    }

    @Test
    void pagesAreFollowedToTheLast() throws Exception {
        try (FakeMember member = new FakeMember(TOPOLOGY)
                .holding("k1", OLD, 1, "w1+0")
                .holding("k2", OLD, 1, "w2+0")
                .holding("k3", NEW, 1, null)) {
            assertThat(read(member))
                    .containsExactly(
                            new Copy("a", "k1", true, OLD, "w1+0"),
                            new Copy("a", "k2", true, OLD, "w2+0"),
                            new Copy("a", "k3", true, NEW, null));
        }
    }

    @Test
    void ownersAreAsManyAsTheNewestCellAsksForAndThoseWithoutItAreTold() throws Exception {
        try (FakeMember a = new FakeMember(TOPOLOGY).holding("k", NEW, 2, "w2+0");
                FakeMember b = new FakeMember(TOPOLOGY);
                FakeMember c = new FakeMember(TOPOLOGY).holding("k", OLD, 3, "w1+0");
                FakeMember d = new FakeMember(TOPOLOGY)) {
            assertThat(read(a, b, c, d))
                    .containsExactly(
                            new Copy("a", "k", true, NEW, "w2+0"),
                            new Copy("b", "k", true, null, null),
                            new Copy("c", "k", false, true, OLD, "w1+0"));
        }
    }

    /** Seed 11, 30 min: a key that is written with one copy, whose first owner became the second when a member joined, and is looked at by nobody. */
    @Test
    void whatWasOwnedBeforeMembersChangedMayStayWhereADefaultCopyIsHeld() throws Exception {
        try (FakeMember a = new FakeMember(TOPOLOGY).holding("k", NEW, 1, "w2+0");
                FakeMember b = new FakeMember(TOPOLOGY).holding("k", NEW, 1, "w2+0");
                FakeMember c = new FakeMember(TOPOLOGY);
                FakeMember d = new FakeMember(TOPOLOGY).holding("k", NEW, 1, "w2+0")) {
            assertThat(read(a, b, c, d))
                    .containsExactly(
                            new Copy("a", "k", true, NEW, "w2+0"),
                            new Copy("b", "k", false, true, NEW, "w2+0"),
                            new Copy("d", "k", false, false, NEW, "w2+0"));
        }
    }

    @Test
    void nothingMayStayWhereItDoesNotBelongWhileMembersAreThoseOfTheBeginning() throws Exception {
        try (FakeMember a = new FakeMember(TOPOLOGY.replace("7", "1"), 1).holding("k", NEW, 1, "w2+0");
                FakeMember b = new FakeMember(TOPOLOGY, 1).holding("k", NEW, 1, "w2+0")) {
            assertThat(read(a, b))
                    .containsExactly(
                            new Copy("a", "k", true, NEW, "w2+0"), new Copy("b", "k", false, false, NEW, "w2+0"));
        }
    }

    @Test
    void memberOfAnotherEpochIsNoAnswer() throws Exception {
        try (FakeMember a = new FakeMember(TOPOLOGY.replace("7", "8")).holding("k", NEW, 2, "w2+0")) {
            assertThatThrownBy(() -> read(a)).isInstanceOf(IOException.class).hasMessageContaining("412");
        }
    }
}
