package dev.kvorum.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.simulation.mutant.Mutant.Edit;
import java.util.List;
import org.junit.jupiter.api.Test;

class MutantTest {
    @Test
    void severalPlacesOfSeveralFilesAreRead() {
        Mutant mutant = Mutant.parse(
                "wrong",
                List.of(
                        "What is wrong.",
                        "a/One.java",
                        "-x",
                        "-y",
                        "+z",
                        "-v",
                        "+w",
                        "a/Other.java",
                        "-p",
                        "+q",
                        "+r"));

        assertThat(mutant)
                .isEqualTo(new Mutant(
                        "wrong",
                        "What is wrong.",
                        List.of(
                                new Edit("a/One.java", "x\ny\n", "z\n"),
                                new Edit("a/One.java", "v\n", "w\n"),
                                new Edit("a/Other.java", "p\n", "q\nr\n"))));
    }

    @Test
    void linesAreReplacedWhereTheyStandOnce() {
        Edit edit = new Edit("A.java", "b\n", "B\n");

        assertThat(edit.applyTo("a\nb\nc\n")).isEqualTo("a\nB\nc\n");
        assertThatThrownBy(() -> edit.applyTo("a\nc\n")).hasMessageContaining("written anew");
        assertThatThrownBy(() -> edit.applyTo("b\nb\n")).hasMessageContaining("exactly once");
    }
}
