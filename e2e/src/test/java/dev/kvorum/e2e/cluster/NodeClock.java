package dev.kvorum.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                "FAKETIME_CACHE_DURATION",
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
     * The node takes it over within three seconds.
     *
     * @param ahead in whole seconds; negative for a clock that is behind
     */
    public void set(Duration ahead) {
        try {
            Files.writeString(directory.resolve(OFFSET), String.format("%+d", ahead.toSeconds()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
