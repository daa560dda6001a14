package dev.kvorum.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.run.Simulation;
import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Every mutant is caught by the seed that the documentation names, and that seed is good without the mutant. Where it is not any more, because
 * something has changed what seeds do, {@code make docs} looks for other seeds.
 */
@Tag("check")
class MutantsDocumentTest {
    private static final SourceTree SOURCES = SourceTree.find();
    private static final Path DOCUMENT = SOURCES.root().resolve("docs/simulation.md");
    private static final String BEGIN = "<!-- mutants: made by `make docs` -->\n";
    private static final String END = "<!-- end of mutants -->";
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| ([^|]+) \\| (\\d+) \\| ([^|]+) \\|");
    private static final int SEEDS_MAX = 1000; // Most are caught by one of the sample.
    private static final boolean WRITES = Boolean.getBoolean("kvorum.docs.write");

    private static final int HEAD = 2; // Lines of the table before its rows.
    private static final List<String> NAMES = names();

    private static List<String> names() {
        try {
            return SOURCES.mutants();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("NAMES")
    void mutantIsCaughtByItsSeed(String name) throws IOException {
        Mutant mutant = SOURCES.mutant(name);
        MutantRun run = MutantRun.of(mutant, SOURCES);
        if (WRITES) {
            write(mutant, oneThatCatches(run, mutant));
        }

        Matcher row = row(mutant);
        long seed = Long.parseLong(row.group(3));
        Verdict verdict = run.run(Run.of(seed));

        assertThat(row.group(2)).as("what is said of it").isEqualTo(mutant.words());
        assertThat(verdict.inShort())
                .as("verdict of seed %d; try make docs", seed)
                .isEqualTo(row.group(4));
        assertThat(verdict.isGood()).isFalse();
        assertThat(Simulation.run(Run.of(seed)).isGood())
                .as("seed %d without it", seed)
                .isTrue();
    }

    private static Matcher row(Mutant mutant) throws IOException {
        Matcher row = ROW.matcher(table());
        while (row.find()) {
            if (row.group(1).equals(mutant.name())) {
                return row;
            }
        }
        throw new AssertionError(DOCUMENT + " does not list " + mutant.name() + ": run make docs");
    }

    @Test
    void nothingIsListedThatIsNoMutant() throws IOException {
        assertThat(ROW.matcher(table()).results().map(row -> row.group(1))).isSubsetOf(NAMES);
    }

    private static String table() throws IOException {
        String document = Files.readString(DOCUMENT);
        return document.substring(document.indexOf(BEGIN) + BEGIN.length(), document.indexOf(END));
    }

    /** By the seed that is listed, if that still catches it. */
    private static Verdict oneThatCatches(MutantRun run, Mutant mutant) throws IOException {
        Matcher row = ROW.matcher(table());
        LongStream listed = row.results()
                .filter(match -> match.group(1).equals(mutant.name()))
                .mapToLong(match -> Long.parseLong(match.group(3)));
        return LongStream.concat(listed, LongStream.rangeClosed(1, SEEDS_MAX))
                .mapToObj(seed -> run.run(Run.of(seed)))
                .filter(verdict -> !verdict.isGood())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no seed up to " + SEEDS_MAX + " catches it"));
    }

    private static void write(Mutant mutant, Verdict caught) throws IOException {
        String row =
                "| `%s` | %s | %d | %s |".formatted(mutant.name(), mutant.words(), caught.seed(), caught.inShort());
        Stream<String> others = table().lines().skip(HEAD).filter(line -> isListed(line, mutant));
        String rows = Stream.concat(others, Stream.of(row)).sorted().collect(Collectors.joining("\n", "", "\n"));
        String head = table().lines().limit(HEAD).collect(Collectors.joining("\n", "", "\n"));
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        Files.writeString(
                DOCUMENT, document.substring(0, begin) + head + rows + document.substring(document.indexOf(END)));
    }

    /** Whether the row is of another mutant, and of one that there still is. */
    private static boolean isListed(String row, Mutant beside) {
        Matcher listed = ROW.matcher(row);
        return listed.matches() && !listed.group(1).equals(beside.name()) && NAMES.contains(listed.group(1));
    }
}
