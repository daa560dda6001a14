package dev.kvorum.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.history.History;
import dev.kvorum.simulation.mutant.Mutant.Edit;
import dev.kvorum.simulation.verdict.Verdict;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MutantLoaderTest {
    /** Loaded by the parent a mutant of it would run as if there were none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.kvorum.topology.change.ChangeStep",
                "dev.kvorum.node.transfer.Transfer",
                "dev.kvorum.simulation.node.Operator"
            })
    void classesOfEachModuleUnderTestAreLoadedAnew(String name) throws ClassNotFoundException {
        MutantLoader loader = new MutantLoader(Map.of());

        assertThat(loader.loadClass(name).getClassLoader()).isSameAs(loader);
    }

    @Test
    void verdictsAreThoseOfTheCaller() throws ClassNotFoundException {
        MutantLoader loader = new MutantLoader(Map.of());

        assertThat(loader.loadClass(Verdict.class.getName())).isSameAs(Verdict.class);
        assertThat(loader.loadClass(History.class.getName())).isSameAs(History.class);
    }

    @Test
    void mutantThatNoRunWouldMeetIsRefused() {
        assertThatThrownBy(() -> new MutantLoader(Map.of(History.class.getName(), new byte[0])))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no run would meet");
    }

    @Test
    void mistakeInTheTopologyModuleIsMet() throws Exception {
        Mutant mutant = new Mutant(
                "needs-nothing",
                "A change needs no room.",
                List.of(new Edit(
                        "topology/src/main/java/dev/kvorum/topology/change/ChangePlan.java",
                        "            return bytes + bytes / 2 + HEADROOM_BYTES;\n",
                        "            return 0;\n")));
        MutantLoader loader = new MutantLoader(new MutantCompiler(SourceTree.find()).compile(mutant));

        Class<?> move = loader.loadClass("dev.kvorum.topology.change.ChangePlan$Move");
        Method bytesNeeded = move.getDeclaredMethod("bytesNeeded");
        bytesNeeded.setAccessible(true);

        assertThat(bytesNeeded.invoke(move.getConstructors()[0].newInstance("n1", 1, 100L, 1L)))
                .isEqualTo(0L);
    }
}
