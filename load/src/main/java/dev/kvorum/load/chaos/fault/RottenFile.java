package dev.kvorum.load.chaos.fault;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of a stopped node's database that is about to be damaged.
 *
 * @param chance decides which bit
 */
record RottenFile(Path file, Damage damage, int chance) {
    private static final Pattern LOG = Pattern.compile("\\d+\\.log");
    private static final Pattern TABLE = Pattern.compile("\\d+\\.sst");
    private static final Pattern MANIFEST = Pattern.compile("MANIFEST-\\d+");

    /** What happens to a file. */
    enum Damage {
        /** A bit flips in the last log, not at its ends. */
        LOG_BIT,
        /** A bit flips in a table. */
        TABLE_BIT,
        /** The last log is lost. An older one is not: that goes unnoticed, as the docs say. */
        LOG_LOST,
        /** A table is lost. */
        TABLE_LOST,
        /** The manifest is lost. */
        MANIFEST_LOST
    }

    /**
     * Chooses one.
     *
     * @param cells the directory of the database
     * @param chance the same number chooses the same among the same files
     * @return empty if no file is there that can be damaged
     */
    static Optional<RottenFile> choose(Path cells, int chance) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(cells)) {
            files = all.sorted(Comparator.comparing(file -> file.getFileName().toString()))
                    .toList();
        }
        SplittableRandom random = new SplittableRandom(chance);
        List<RottenFile> choice = new ArrayList<>();
        for (Path log : lastOf(named(files, LOG))) {
            choice.add(new RottenFile(log, Damage.LOG_BIT, chance));
            choice.add(new RottenFile(log, Damage.LOG_LOST, chance));
        }
        List<Path> tables = named(files, TABLE);
        if (!tables.isEmpty()) {
            Path table = tables.get(random.nextInt(tables.size()));
            choice.add(new RottenFile(table, Damage.TABLE_BIT, chance));
            choice.add(new RottenFile(table, Damage.TABLE_LOST, chance));
        }
        for (Path manifest : lastOf(named(files, MANIFEST))) {
            choice.add(new RottenFile(manifest, Damage.MANIFEST_LOST, chance));
        }
        return choice.isEmpty() ? Optional.empty() : Optional.of(choice.get(random.nextInt(choice.size())));
    }

    /** Files with something in them. Their numbers have as many digits, so names are in the order of time. */
    private static List<Path> named(List<Path> files, Pattern name) throws IOException {
        List<Path> named = new ArrayList<>();
        for (Path file : files) {
            if (name.matcher(file.getFileName().toString()).matches() && Files.size(file) > 0) {
                named.add(file);
            }
        }
        return named;
    }

    private static List<Path> lastOf(List<Path> files) {
        return files.subList(Math.max(0, files.size() - 1), files.size());
    }

    /** Damages it; tells what was done, in words. */
    String rot() throws IOException {
        return switch (damage) {
            case LOG_BIT, TABLE_BIT -> flip();
            case LOG_LOST, TABLE_LOST, MANIFEST_LOST -> {
                Files.delete(file);
                yield name() + " is lost";
            }
        };
    }

    /** Only whether a table is sound can be unknown while the node runs: a start reads the rest. */
    boolean mayGoUnnoticed() {
        return damage == Damage.TABLE_BIT && Files.exists(file);
    }

    private String flip() throws IOException {
        SplittableRandom random = new SplittableRandom(chance);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long length = bytes.length();
            // Of a log not the end: what was never synced may be torn.
            long at = length / 10 + random.nextLong(Math.max(1, length * 7 / 10));
            bytes.seek(at);
            int old = bytes.read();
            bytes.seek(at);
            bytes.write(old ^ (1 << random.nextInt(Byte.SIZE)));
            return "a bit flips in " + name() + ", byte " + at + " of " + length;
        }
    }

    private String name() {
        return String.valueOf(file.getFileName());
    }
}
