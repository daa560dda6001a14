package dev.kvorum.simulation.run;

import dev.kvorum.history.HistoryFile;
import dev.kvorum.simulation.mutant.MutantRun;
import dev.kvorum.simulation.mutant.SourceTree;
import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Shrinking;
import dev.kvorum.simulation.verdict.Subject;
import dev.kvorum.simulation.verdict.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The command line of {@code make simulate}, which takes these in any order:
 *
 * <pre>
 * seeds=1000 from=1     runs a thousand seeds; ends with 1 if one is not good
 * seed=17 out=DIR       runs one, leaves its trace and its history in that directory, and tells which faults it takes if it is not good
 * mutant=NAME           with either: on that mutant
 * histories=DIR         with the former: leaves the history of each there
 * kind=registers        with either: linearizable operations alone; its mutants are registers/NAME
 * </pre>
 */
public final class Simulate {
    private static final int NOT_GOOD = 1;
    private static final int WRONG_COMMAND = 2;
    private static final String SEEDS_DEFAULT = "200";

    private final Map<String, String> options;
    private final PrintStream out;

    private Simulate(Map<String, String> options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = new HashMap<>();
        for (String argument : arguments) {
            int end = argument.indexOf('=');
            options.put(argument.substring(0, Math.max(0, end)), argument.substring(end + 1));
        }
        System.exit(new Simulate(options, System.out).run());
    }

    private int run() throws IOException {
        try {
            Subject subject = subject();
            return option("seed", "").isEmpty()
                    ? campaign(subject, number("from", "1"), number("seeds", SEEDS_DEFAULT))
                    : replay(subject, number("seed", ""), Path.of(option("out", ".")));
        } catch (NumberFormatException e) {
            out.println("That is no number: " + e.getMessage());
            return WRONG_COMMAND;
        } catch (IllegalArgumentException e) {
            out.println("That can't be: " + e.getMessage());
            return WRONG_COMMAND;
        }
    }

    /** What was said; make passes on what nobody said as an empty text. */
    private String option(String name, String unsaid) {
        String said = options.getOrDefault(name, "");
        return said.isEmpty() ? unsaid : said;
    }

    private long number(String name, String unsaid) {
        return Long.parseLong(option(name, unsaid));
    }

    private Subject subject() throws IOException {
        String mutant = option("mutant", "");
        String kind = option("kind", "");
        boolean isOfRegisters = kind.equals(RegisterSimulation.KIND);
        if (!isOfRegisters && !kind.isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no kind \"" + kind + "\": leave it out, or say " + RegisterSimulation.KIND);
        }
        if (mutant.isEmpty()) {
            return isOfRegisters ? RegisterSimulation::run : Simulation::run;
        }
        SourceTree sources = SourceTree.find();
        return isOfRegisters
                ? MutantRun.of(sources.mutant(mutant), sources, RegisterSimulation.class.getName())
                : MutantRun.of(sources.mutant(mutant), sources);
    }

    private static Subject keeping(Subject subject, Path directory) {
        return run -> {
            Verdict verdict = subject.run(run);
            try {
                HistoryFile.write(verdict.history(), directory.resolve("seed-" + run.seed() + ".jsonl"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return verdict;
        };
    }

    private int campaign(Subject subject, long from, long seeds) throws IOException {
        String histories = option("histories", "");
        Campaign campaign = new Campaign(
                histories.isEmpty() ? subject : keeping(subject, Files.createDirectories(Path.of(histories))),
                verdict -> out.println(verdict.report()),
                now -> System.err.println("so far: " + now.summary()));
        out.println(campaign.run(from, seeds).summary());
        return campaign.failures().isEmpty() ? 0 : NOT_GOOD;
    }

    private int replay(Subject subject, long seed, Path directory) throws IOException {
        Files.createDirectories(directory);
        Path trace = directory.resolve("seed-" + seed + ".trace");
        Path history = directory.resolve("seed-" + seed + ".jsonl");
        Verdict verdict;
        try (PrintStream lines = new PrintStream(Files.newOutputStream(trace), false, StandardCharsets.UTF_8)) {
            verdict = subject.run(Run.told(seed, lines::println));
        }
        HistoryFile.write(verdict.history(), history);
        out.println(verdict.report());
        if (!verdict.isGood()) {
            Verdict smallest = new Shrinking(subject).shrink(verdict);
            out.println("The same with as few of its faults as could be found:\n" + smallest.report());
        }
        out.println("trace:   " + trace.toAbsolutePath() + "\nhistory: " + history.toAbsolutePath());
        return verdict.isGood() ? 0 : NOT_GOOD;
    }
}
