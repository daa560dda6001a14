package dev.kvorum.load.chaos.fault;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The wall clocks of the nodes, which can be set apart while they run. Each process loads a library first ({@code wrong-clock.c}). It adds what a file of the node says, which the process has
 * mapped. Clocks that nobody can set, which measure durations, are left alone. Any thread.
 */
public final class NodeClocks {
    private final Path directory;
    private final Path library;
    private final Set<String> begunWrong = ConcurrentHashMap.newKeySet();

    private NodeClocks(Path directory, Path library) {
        this.directory = directory;
        this.library = library;
    }

    /**
     * Compiles the library.
     *
     * @param directory where it is put, and the nodes' files with it
     * @throws IOException if nothing compiles it, and why
     */
    public static NodeClocks compile(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path source = directory.resolve("wrong-clock.c");
        Path library = directory.resolve("wrong-clock.so");
        try (InputStream text = Objects.requireNonNull(NodeClocks.class.getResourceAsStream("/wrong-clock.c"))) {
            Files.write(source, text.readAllBytes());
        }
        NodeDisk.run(List.of("cc", "-shared", "-fPIC", "-nostdlib", "-o", library.toString(), source.toString()));
        return new NodeClocks(directory, library);
    }

    /** What the process of a node needs in its environment to go by its clock, which is right at first. */
    public Map<String, String> environmentOf(String id) throws IOException {
        Files.write(offset(id), new byte[Long.BYTES]);
        return Map.of(
                "LD_PRELOAD", library.toString(), "WRONG_CLOCK", offset(id).toString());
    }

    private Path offset(String id) {
        return directory.resolve(id);
    }

    /** Sets the clock of a node, at once. Negative for behind. */
    void set(String id, Duration ahead) throws IOException {
        ByteBuffer nanos = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(ahead.toNanos())
                .flip();
        try (FileChannel file = FileChannel.open(offset(id), StandardOpenOption.WRITE)) {
            file.write(nanos, 0); // In place: the process has the file mapped.
        }
    }

    /** Sets the clock of a node that is about to begin a life with it. */
    void setBeforeStart(String id, Duration ahead) throws IOException {
        begunWrong.add(id);
        set(id, ahead);
    }

    /** Sets the clock of a node right. */
    void setRight(String id) throws IOException {
        set(id, Duration.ZERO);
        begunWrong.remove(id);
    }

    /** Whether the present life of a node has begun with a wrong clock that is not right yet. Until it has heard the others it takes no note of versions that are far from its time. */
    public boolean hasBegunWrong(String id) {
        return begunWrong.contains(id);
    }
}
