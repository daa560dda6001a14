package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Key;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** What happens to the files of a store that was killed. All of it is drawn. */
final class Misfortune {
    private final Path directory;
    private final Path database;
    private final SplittableRandom random;

    Misfortune(Path directory, SplittableRandom random) {
        this.directory = directory;
        this.database = directory.resolve("cells");
        this.random = random;
    }

    /**
     * The machine loses power. Of each file that was written since its last sync a part is gone, from its end or out of the middle of it, or all of it with its name. What tells boots of the machine
     * apart tells of another.
     *
     * @param synced how many bytes of a file were brought to the disk; of others none
     * @param mark what the sync mark was at some moment since the last power cut; null if there was none
     * @return what it was, in words
     */
    String powerCut(Map<String, Long> synced, byte @Nullable [] mark) throws IOException {
        StringBuilder words = new StringBuilder();
        for (Path file : files(Misfortune::isCut)) {
            String name = file.getFileName().toString();
            long size = Files.size(file);
            long safe = Math.min(size, synced.getOrDefault(name, 0L));
            if (size > safe) {
                words.append(' ').append(cut(file, safe, size));
            }
        }
        Path noted = directory.resolve("cells.synced");
        if (random.nextBoolean() && mark != null && Files.exists(noted)) { // Not where the store was set aside since.
            Files.write(noted, mark);
            words.append(" mark-set-back");
        }
        Path running = directory.resolve("running");
        if (Files.exists(running)) {
            Files.writeString(running, Files.readString(running).replaceFirst("\\S+", "another-boot"));
        }
        return words.toString();
    }

    /** Not what the database syncs without a word, before it gives it its name; and not what it writes for people. */
    private static boolean isCut(String name) {
        return Stream.of("CURRENT", "IDENTITY", "LOCK", "LOG", "OPTIONS").noneMatch(name::startsWith);
    }

    private static boolean isManifest(Path file) {
        return file.getFileName().toString().startsWith("MANIFEST");
    }

    private String cut(Path file, long safe, long size) throws IOException {
        long left = switch (random.nextInt(3)) {
            case 0 -> safe;
            case 1 -> size;
            default -> random.nextLong(safe, size);
        };
        if (left == 0 && random.nextBoolean()) { // Its name may be not on the disk either.
            Files.delete(file);
            return file.getFileName() + ":0/" + size + "->none";
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(left);
            if (left > safe && random.nextBoolean()) { // Pages reach a disk in any order.
                // RocksDB takes a hole within a record of the manifest for damage; known, and left: docs/simulation.md.
                long hole = isManifest(file) ? safe : random.nextLong(safe, left);
                channel.write(ByteBuffer.allocate((int) Math.min(4096, left - hole)), hole);
            }
        }
        return file.getFileName() + ":" + safe + "/" + size + "->" + left;
    }

    private List<Path> files(Predicate<String> named) throws IOException {
        if (Files.notExists(database)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(database)) {
            return all.filter(Files::isRegularFile)
                    .filter(path -> named.test(path.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    /** How long the files are, by their names. */
    Map<String, Long> sizes() throws IOException {
        Map<String, Long> sizes = new HashMap<>();
        for (Path file : files(name -> true)) {
            sizes.put(file.getFileName().toString(), Files.size(file));
        }
        return sizes;
    }

    /**
     * Something happens to a file.
     *
     * @param older a copy of the database from when the life began
     * @return what it was, in words
     */
    String rot(Path older) throws IOException {
        return switch (random.nextInt(8)) {
            case 0, 1 -> flipBit(files(name -> name.endsWith(".log")));
            case 2 -> flipBit(files(name -> name.endsWith(".sst")));
            case 3 ->
                flipBit(files(
                        name -> name.startsWith("MANIFEST") || name.equals("CURRENT") || name.equals("IDENTITY")));
            case 4 -> remove(files(name -> name.endsWith(".log") || name.endsWith(".sst")));
            case 5 -> rollBack(older);
            case 6 -> flipBit(List.of(directory.resolve("cells.synced")));
            default -> damageCell();
        };
    }

    private String flipBit(List<Path> files) throws IOException {
        List<Path> written =
                files.stream().filter(file -> file.toFile().length() > 0).toList();
        if (written.isEmpty()) {
            return "nothing";
        }
        Path file = written.get(random.nextInt(written.size()));
        byte[] bytes = Files.readAllBytes(file);
        int place = random.nextInt(bytes.length);
        bytes[place] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        Files.write(file, bytes);
        return "flip " + file.getFileName() + " " + place + "/" + bytes.length;
    }

    private String remove(List<Path> files) throws IOException {
        if (files.isEmpty()) {
            return "nothing";
        }
        Path file = files.get(random.nextInt(files.size()));
        Files.delete(file);
        return "remove " + file.getFileName();
    }

    private String rollBack(Path older) throws IOException {
        if (Files.notExists(older)) {
            return "nothing";
        }
        FileSystemUtils.deleteRecursively(database);
        FileSystemUtils.copyRecursively(older, database);
        return "roll back";
    }

    /** As memory does that flips a bit before the database makes its own checksum. */
    private String damageCell() {
        String key = "k" + random.nextInt(LifeCallers.KEYS);
        int bit = random.nextInt(1 << 20);
        try {
            StoredBytes.change(database, Key.of(key), bytes -> {
                bytes[bit / Byte.SIZE % bytes.length] ^= (byte) (1 << bit % Byte.SIZE);
                return bytes;
            });
        } catch (AssertionError e) {
            return "nothing"; // There is no such cell.
        }
        return "damage " + key;
    }
}
