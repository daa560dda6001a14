package dev.kvorum.e2e.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of this machine, as its user runs it. */
final class Program {
    private Program() {}

    /**
     * Runs it to its end.
     *
     * @return what it printed
     * @throws AssertionError if it does not end well, or not in time; with what it printed
     */
    static String run(Duration atMost, List<String> command) {
        try {
            Path printed = Files.createTempFile("kvorum-e2e", ".out");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            boolean ended = process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
            process.destroyForcibly();
            String output = Files.readString(printed, StandardCharsets.UTF_8);
            Files.delete(printed);
            if (!ended || process.exitValue() != 0) {
                String how =
                        ended ? "ended with " + process.exitValue() : "did not end within " + atMost.toSeconds() + " s";
                throw new AssertionError(String.join(" ", command) + " " + how + ":\n" + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Whether it ends well. */
    static boolean succeeds(Duration atMost, List<String> command) {
        try {
            run(atMost, command);
            return true;
        } catch (AssertionError | UncheckedIOException e) {
            return false; // That is the answer.
        }
    }
}
