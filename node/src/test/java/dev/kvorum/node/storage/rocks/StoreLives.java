package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.history.StoreHistory;
import dev.kvorum.node.storage.history.StoreVerdict;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * The lives of one store by a seed: each is a process, which is killed after so many lines; then the machine may have lost power, or something happens to the files; and the next life reads what there is.
 * The seed draws all of that, and what callers do, but not which of them is faster: a seed that has found something may have to be run again some times.
 */
final class StoreLives {
    private static final int KILLED_EXIT = 128 + 9;

    private final Path parent;
    private final Path directory;
    private final long seed;
    private final SplittableRandom random;
    private final Durability durability;
    private final List<LifePlan> plans;
    private final List<String> classPath;
    private final List<String> lines = new ArrayList<>();
    private final Map<String, Long> synced = new HashMap<>();
    private byte @Nullable [] mark; // As it was when the last life was open.
    private int number;
    private boolean fresh;
    private boolean hasDied;
    private long remembered; // Of every other seed, as if other members did.

    /** @param classPath of the processes */
    StoreLives(Path parent, long seed, List<String> classPath) {
        this.parent = parent;
        this.directory = parent.resolve("data");
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.durability = random.nextBoolean() ? Durability.FSYNC : Durability.ASYNC;
        this.plans = LifePlan.draw(random);
        this.classPath = classPath;
    }

    /** Runs them. What it returns is what is wrong, in words. */
    List<String> run() throws IOException, InterruptedException {
        for (LifePlan plan : plans) {
            if (!hasDied && live(plan)) {
                live(plan);
            }
        }
        return StoreVerdict.wrong(StoreHistory.of(lines));
    }

    Durability durability() {
        return durability;
    }

    /** The lives that are drawn. One that refuses what it finds sets that aside, and begins again. */
    List<LifePlan> plans() {
        return plans;
    }

    List<String> lines() {
        return lines;
    }

    /** How each life has begun and ended. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        String begun = "";
        for (String line : lines) {
            if (line.startsWith("life ")) {
                begun = (line.contains(" fresh ") ? "set aside, " : "") + "opening ";
            } else if (line.startsWith("refused ")) {
                begun = begun.replace("opening", "refused");
            } else if (line.startsWith("open ")) {
                begun = begun.replace("opening", "reading");
            } else if (line.equals("ready")) {
                begun = begun.replace("reading ", "");
            } else if (line.startsWith("end ")) {
                words.add(begun + line.substring("end ".length()));
            }
        }
        return durability + " " + String.join("; ", words);
    }

    /** Returns whether the store refused to open. */
    private boolean live(LifePlan plan) throws IOException, InterruptedException {
        number++;
        Path older = parent.resolve("older");
        FileSystemUtils.deleteRecursively(older);
        if (Files.exists(directory.resolve("cells"))) {
            FileSystemUtils.copyRecursively(directory.resolve("cells"), older);
        }
        lines.add("life " + durability + " " + (fresh ? "fresh" : "kept") + " seed " + seed);
        StoreLife.Order order = new StoreLife.Order(
                directory, durability, seed, number, fresh, seed % 2 == 0 ? remembered : 0, plan.share());
        boolean refused = follow(start(order), plan);
        if (refused || hasDied) {
            fresh = refused;
            remembered = 0;
            lines.add("end KILLED");
            return refused;
        }
        lines.add("end " + plan.end() + befallen(plan, older));
        return false;
    }

    private String befallen(LifePlan plan, Path older) throws IOException {
        Misfortune misfortune = new Misfortune(directory, random);
        String words = switch (plan.end()) {
            case CLOSED, KILLED -> "";
            case POWER -> misfortune.powerCut(synced, mark);
            case ROT -> " " + misfortune.rot(older);
        };
        if (plan.end() == LifePlan.End.POWER || plan.end() == LifePlan.End.ROT) {
            synced.clear(); // What is left is what the disk has.
            synced.putAll(misfortune.sizes());
        }
        return words;
    }

    private Process start(StoreLife.Order order) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                String.join(File.pathSeparator, classPath),
                StoreLife.class.getName()));
        command.addAll(order.words());
        return new ProcessBuilder(command)
                .redirectError(parent.resolve("log").toFile())
                .start();
    }

    /**
     * Takes what it tells until it ends, or kills it.
     *
     * @return whether the store refused to open
     */
    private boolean follow(Process process, LifePlan plan) throws IOException, InterruptedException {
        int told = 0;
        try (BufferedReader reader = process.inputReader()) {
            for (String line = whole(reader); line != null; line = whole(reader)) {
                take(line);
                told++;
                if (told == plan.toldMax()) {
                    TimeUnit.MILLISECONDS.sleep(plan.pauseMillis());
                    process.toHandle().destroyForcibly(); // Leaves the pipe open: what is in it is still read.
                }
            }
        } finally {
            process.destroyForcibly();
        }
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(process + " does not end");
        }
        String last = lines.getLast();
        boolean refused = last.startsWith("refused");
        boolean wasKilled = told >= plan.toldMax() && process.exitValue() == KILLED_EXIT;
        if (!refused && !last.equals("closed") && !last.startsWith("unclosed") && !wasKilled) {
            hasDied = true;
            lines.add("died " + Files.readString(parent.resolve("log")).replace('\n', ' '));
        }
        return refused;
    }

    /** The next line; null at the end, also behind the half of one. */
    private static @Nullable String whole(BufferedReader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = reader.read(); read >= 0; read = reader.read()) {
            if (read == '\n') {
                return line.toString();
            }
            line.append((char) read);
        }
        return null;
    }

    private void take(String line) throws IOException {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "sync" -> synced.merge(words[1], Long.parseLong(words[2]), Math::max);
            case "aside" -> {
                mark = null;
                synced.clear();
            }
            case "open" -> {
                fresh = false;
                mark = Files.readAllBytes(directory.resolve("cells.synced"));
                remembered = Math.max(remembered, Long.parseLong(words[1]));
                lines.add(line);
            }
            case "changes" -> {
                remembered = Math.max(remembered, Long.parseLong(words[1]));
                lines.add(line);
            }
            default -> lines.add(line);
        }
    }
}
