package dev.kvorum.node.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/** The wall clock of one process, which can be set apart while it runs: by a library that is loaded into it first. Needs a C compiler. */
public final class WrongClock {
    private final Path library;
    private final Path offset;

    /** @param directory where its files are put; it belongs to this clock alone */
    public WrongClock(Path directory) throws IOException {
        Files.createDirectories(directory);
        this.library = PreloadedLibrary.compile("wrong-clock", directory);
        this.offset = directory.resolve("offset");
        Files.write(offset, new byte[Long.BYTES]);
    }

    /** What a process needs in its environment to go by this clock. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "WRONG_CLOCK", offset.toString());
    }

    /** Sets it, in place: the process has the file mapped. Negative for behind. */
    public void set(Duration ahead) throws IOException {
        ByteBuffer nanos = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(ahead.toNanos())
                .flip();
        try (FileChannel file = FileChannel.open(offset, StandardOpenOption.WRITE)) {
            file.write(nanos, 0);
        }
    }
}
