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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * The lives of one store by a seed: each is a process, which is killed after so many lines; then the machine may have lost power, or something happens to the files; and the next life reads what there is.
 * The seed draws all of that, and what callers do, but not which of them is faster: a seed that has found something may have to be run again some times.
 */
final class StoreLives {
    private static final int SHARE_MAX = 100_000; // Never done: it is killed.
    private static final int LINES_MAX = 12_000;

    private final Path parent;
    private final Path directory;
    private final long seed;
    private final SplittableRandom random;
    private final Durability durability;
    private final List<String> classPath;
    private final List<String> lines = new ArrayList<>();
    private final Map<String, Long> synced = new HashMap<>();
    private byte[] mark = {};
    private int number;
    private boolean fresh;
    private boolean hasDied;
    private long remembered; // Of every other seed, as if other members did.

    private enum End {
        CLOSED,
        KILLED,
        POWER,
        ROT
    }

    /** @param classPath of the processes */
    StoreLives(Path parent, long seed, List<String> classPath) {
        this.parent = parent;
        this.directory = parent.resolve("data");
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.durability = random.nextBoolean() ? Durability.FSYNC : Durability.ASYNC;
        this.classPath = classPath;
    }

    /** Runs them. What it returns is what is wrong, in words. */
    List<String> run() throws IOException, InterruptedException {
        int lives = random.nextInt(2, 5);
        for (int i = 1; i <= lives && !hasDied; i++) {
            live(i == lives ? End.CLOSED : drawn(i == lives - 1));
        }
        return StoreVerdict.wrong(StoreHistory.of(lines));
    }

    /** Damage comes last: what is behind it is judged less strictly. */
    private End drawn(boolean last) {
        int drawn = random.nextInt(20);
        if (drawn < 2) {
            return End.CLOSED;
        }
        if (last) {
            return drawn < 5 ? End.KILLED : drawn < 12 ? End.POWER : End.ROT;
        }
        return drawn < 8 ? End.KILLED : End.POWER;
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public String toString() {
        return durability + " "
                + lines.stream()
                        .filter(line -> line.startsWith("end"))
                        .map(line -> line.substring("end ".length()))
                        .collect(Collectors.joining(", "));
    }

    private void live(End end) throws IOException, InterruptedException {
        number++;
        Path older = parent.resolve("older");
        FileSystemUtils.deleteRecursively(older);
        if (Files.exists(directory.resolve("cells"))) {
            FileSystemUtils.copyRecursively(directory.resolve("cells"), older);
        }
        lines.add("life " + durability + " " + (fresh ? "fresh" : "kept") + " seed " + seed);
        int share = end == End.CLOSED ? random.nextInt(10, 60) : SHARE_MAX;
        int linesMax = random.nextInt(3) == 0 ? random.nextInt(150, 1000) : random.nextInt(1000, LINES_MAX);
        StoreLife.Order order =
                new StoreLife.Order(directory, durability, seed, number, fresh, seed % 2 == 0 ? remembered : 0, share);
        boolean refused = follow(start(order), end == End.CLOSED ? Integer.MAX_VALUE : linesMax);
        fresh = refused;
        remembered = refused ? 0 : remembered;
        if (refused || hasDied) {
            lines.add("end KILLED");
            return;
        }
        String words = switch (end) {
            case CLOSED, KILLED -> "";
            case POWER -> new Misfortune(directory, random).powerCut(synced, mark);
            case ROT -> " " + new Misfortune(directory, random).rot(older);
        };
        lines.add("end " + end + words);
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
    private boolean follow(Process process, int linesMax) throws IOException, InterruptedException {
        int first = lines.size();
        try (BufferedReader reader = process.inputReader()) {
            for (String line = whole(reader); line != null; line = whole(reader)) {
                take(line);
                if (lines.size() - first == linesMax) {
                    process.toHandle().destroyForcibly(); // Leaves the pipe open: what is in it is still read.
                }
            }
        } finally {
            process.destroyForcibly();
            process.waitFor(1, TimeUnit.MINUTES);
        }
        String last = lines.getLast();
        boolean refused = last.startsWith("refused");
        if (!refused && !last.equals("closed") && !last.startsWith("unclosed") && lines.size() - first < linesMax) {
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
            case "open" -> {
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
