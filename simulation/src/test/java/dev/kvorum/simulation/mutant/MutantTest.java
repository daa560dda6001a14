package dev.kvorum.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.simulation.mutant.Mutant.Edit;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Those that a seed catches are compiled by {@link MutantsDocumentTest}. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"uncaught", "registers/uncaught"})
    void mutantsThatNoSeedCatchesNamePresentLines(String directory) throws IOException {
        SourceTree sources = SourceTree.find();

        for (String name : sources.mutants(directory)) {
            for (Edit edit : sources.mutant(directory + "/" + name).edits()) {
                assertThatCode(() -> edit.applyTo(sources.read(edit.file())))
                        .as(name)
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void linesAreReplacedWhereTheyStandOnce() {
        Edit edit = new Edit("A.java", "b\n", "B\n");

        assertThat(edit.applyTo("a\nb\nc\n")).isEqualTo("a\nB\nc\n");
        assertThatThrownBy(() -> edit.applyTo("a\nc\n")).hasMessageContaining("written anew");
        assertThatThrownBy(() -> edit.applyTo("b\nb\n")).hasMessageContaining("exactly once");
    }
}
