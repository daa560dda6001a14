package dev.kvorum.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/**
 * The clock of a node, which can be set apart: its process asks a library for the time that is loaded before the system's (libfaketime) and adds
 * what a file says. Time that only measures durations is left alone.
 *
 * @param directory of this machine that the container mounts as {@value #MOUNTED}: the library, and the file
 */
public record NodeClock(Path directory) {
    static final String MOUNTED = "/clock";

    private static final String LIBRARY = "libfaketime.so.1";
    private static final String OFFSET = "offset";

    /** Writes both, with the clock right. */
    static NodeClock prepare(Path directory) {
        NodeClock clock = new NodeClock(directory);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        clock.set(Duration.ZERO);
        LibraryOfImage.copy(Engine.FAULTS_IMAGE, "/usr/lib/" + LIBRARY, directory);
        return clock;
    }

    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                MOUNTED + "/" + LIBRARY,
                "FAKETIME_TIMESTAMP_FILE",
                MOUNTED + "/" + OFFSET,
                // The file is read whenever the time is asked for: what it says is taken over at once.
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Otherwise it works around a bug that glibc has no more, with waits that return at once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0",
                "FAKETIME_DISABLE_SHM",
                "1");
    }

    /**
     * The node goes by it from its next look at the time on.
     *
     * @param ahead in whole seconds; negative for a clock that is behind
     */
    public void set(Duration ahead) {
        Path fresh = directory.resolve(OFFSET + ".new"); // Never half a file: the node may read it at any instant.
        try {
            Files.writeString(fresh, String.format("%+d", ahead.toSeconds()));
            Files.move(fresh, directory.resolve(OFFSET), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
