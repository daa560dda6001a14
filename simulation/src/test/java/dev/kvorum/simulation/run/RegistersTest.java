package dev.kvorum.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.HistoryFile;
import dev.kvorum.simulation.mutant.MutantRun;
import dev.kvorum.simulation.mutant.SourceTree;
import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Linearizable operations under all faults. With {@code -Dkvorum.histories=DIR} their histories are left there, for Porcupine. */
@Tag("check")
class RegistersTest {
    private static final int SEEDS = Integer.getInteger("kvorum.registers.seeds", 60);
    private static final String HISTORIES = System.getProperty("kvorum.histories", "");
    private static final String SIMULATION = RegisterSimulation.class.getName();

    @Test
    void operationsAreLinearizableUnderAllFaults() {
        Campaign campaign = new Campaign(RegistersTest::run, verdict -> {}, now -> {}).run(1, SEEDS);

        System.out.println(campaign.summary());
        assertThat(campaign.failures().stream().map(Verdict::report)).isEmpty();
    }

    private static Verdict run(Run run) {
        Verdict verdict = RegisterSimulation.run(run);
        if (!HISTORIES.isEmpty()) {
            try {
                Files.createDirectories(Path.of(HISTORIES));
                HistoryFile.write(verdict.history(), Path.of(HISTORIES, "seed-" + run.seed() + ".jsonl"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return verdict;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "accept-ignores-promise, 2",
        "promise-not-kept, 2",
        "accepted-not-kept, 2",
        "read-without-write-back, 4",
        "open-proposal-overlooked, 2",
        "proposal-committed-at-once, 3",
        "outbid-write-proposed-anew, 3",
        "greatest-version-counts, 30",
        "answered-before-committed, 7",
        "refused-without-securing, 3",
        "absent-always-holds, 1",
        "open-proposal-forgotten, 10",
        "change-without-joint-rounds, 32",
        "lost-disk-promises, 66"
    })
    void mutantIsCaughtByItsSeed(String name, long seed) throws IOException {
        SourceTree sources = SourceTree.find();
        MutantRun mutant = MutantRun.of(sources.mutant("registers/" + name), sources, SIMULATION);

        if (Boolean.getBoolean("kvorum.docs.write")) {
            System.out.println(name + ": " + firstThatCatches(mutant));
            return;
        }
        assertThat(mutant.run(Run.of(seed)).isGood()).isFalse();
        assertThat(RegisterSimulation.run(Run.of(seed)).isGood()).isTrue();
    }

    private static String firstThatCatches(MutantRun mutant) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Verdict verdict = mutant.run(Run.of(seed));
            if (!verdict.isGood()) {
                return "seed " + seed + ", " + verdict.inShort();
            }
        }
        return "none up to " + SEEDS;
    }
}
