package dev.kvorum.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same seed gives the same run, always. */
@Tag("check")
class ReplayTest {
    private static final Pattern HASH = Pattern.compile("hash ([0-9a-f]{16})");

    @TempDir
    private Path directory;

    @Test
    void sameSeedGivesTheSameRun() {
        for (long seed : LongStream.rangeClosed(1, 5).toArray()) {
            Verdict first = Simulation.run(Run.of(seed));
            Verdict second = Simulation.run(Run.of(seed));

            assertThat(second.course().hash())
                    .as("hash of seed %d", seed)
                    .isEqualTo(first.course().hash());
            assertThat(second.history()).as("history of seed %d", seed).isEqualTo(first.history());
            assertThat(second.course().events()).isEqualTo(first.course().events());
        }
    }

    @Test
    void differentSeedsGiveDifferentRuns() {
        Set<Long> hashes = new HashSet<>();

        LongStream.rangeClosed(1, 5)
                .forEach(
                        seed -> hashes.add(Simulation.run(Run.of(seed)).course().hash()));

        assertThat(hashes).hasSize(5);
    }

    @Test
    void thatSomebodyReadsTheTraceChangesNothing() {
        List<String> lines = new ArrayList<>();

        Verdict told = Simulation.run(Run.told(3, lines::add));

        assertThat(told.course().hash())
                .isEqualTo(Simulation.run(Run.of(3)).course().hash());
        assertThat(lines).hasSizeGreaterThan(100);
    }

    /** Some collections have another order in each process. */
    @Test
    void anotherProcessGivesTheSameRun() throws Exception {
        String here = "%016x".formatted(Simulation.run(Run.of(5)).course().hash());

        assertThat(hashInAnotherProcess(5)).isEqualTo(here);
    }

    private String hashInAnotherProcess(long seed) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Simulate.class.getName(),
                        "--seed=" + seed,
                        "--out=" + directory)
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        Matcher hash = HASH.matcher(told);
        assertThat(hash.find()).as(told).isTrue();
        return hash.group(1);
    }
}
