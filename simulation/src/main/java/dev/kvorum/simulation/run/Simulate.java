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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of {@code make simulate}. */
@Command(
        name = "simulate",
        usageHelpWidth = 110,
        sortOptions = false,
        description =
                "Runs a cluster of production classes on virtual time under all faults, a seed at a time, and judges it.",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Every seed was good.",
            "1:A seed was not good, or something failed.",
            "2:Wrong usage: nothing was run."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  make simulate SEEDS=1000 FROM=1",
            "  make simulate SEED=17 MUTANT=hint-dropped",
            "  java ... dev.kvorum.simulation.run.Simulate --kind=registers --seeds=20 --histories=/tmp/histories"
        })
public final class Simulate implements Callable<Integer> {
    private static final int GOOD = 0;
    private static final int NOT_GOOD = 1;

    /** A simulation that is not the usual one. */
    private enum Kind {
        REGISTERS
    }

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "200",
            description = "How many seeds; ${DEFAULT-VALUE} unless said.")
    private long seeds;

    @Option(
            names = "--from",
            paramLabel = "N",
            defaultValue = "1",
            description = "The first of them; ${DEFAULT-VALUE} unless said.")
    private long from;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Runs this one, leaves its trace and its history, and names the faults that it takes if it is not good.")
    private @Nullable Long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "Where --seed leaves them; ${DEFAULT-VALUE} unless said.")
    private Path directory = Path.of("");

    @Option(
            names = "--mutant",
            paramLabel = "NAME",
            description = "Puts a mistake of simulation/mutants into the code, as hint-dropped.")
    private @Nullable String mutant;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "Simulates linearizable operations alone: registers. Its mutants are registers/NAME.")
    private @Nullable Kind kind;

    @Option(names = "--histories", paramLabel = "DIR", description = "Keeps what clients saw of each seed.")
    private @Nullable Path histories;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    @SuppressWarnings("UnusedVariable") // Picocli asks whether it was typed.
    private boolean helps;

    @Spec
    private @Nullable CommandSpec spec;

    private final PrintStream out = System.out;

    private Simulate() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Simulate())
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        Subject subject = subject();
        return seed == null ? campaign(subject) : replay(subject, seed);
    }

    private Subject subject() throws IOException {
        boolean isOfRegisters = kind == Kind.REGISTERS;
        if (mutant == null) {
            return isOfRegisters ? RegisterSimulation::run : Simulation::run;
        }
        SourceTree sources = SourceTree.find();
        try {
            return isOfRegisters
                    ? MutantRun.of(sources.mutant(mutant), sources, RegisterSimulation.class.getName())
                    : MutantRun.of(sources.mutant(mutant), sources);
        } catch (NoSuchFileException e) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "Invalid value for option '--mutant': there is no " + e.getFile());
        }
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

    private int campaign(Subject subject) throws IOException {
        Campaign campaign = new Campaign(
                histories == null ? subject : keeping(subject, Files.createDirectories(histories)),
                verdict -> out.println(verdict.report()),
                now -> System.err.println("so far: " + now.summary()));
        out.println(campaign.run(from, seeds).summary());
        return campaign.failures().isEmpty() ? GOOD : NOT_GOOD;
    }

    private int replay(Subject subject, long seed) throws IOException {
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
        return verdict.isGood() ? GOOD : NOT_GOOD;
    }
}
