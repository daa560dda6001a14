package dev.kvorum.node.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A command that changes the members, in a process of its own. */
public final class Command {
    private final Process process;
    private final Path output;

    /** What became of a command. */
    public record Outcome(int exitCode, String output) {}

    Command(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Waits for its end. */
    public Outcome outcome() {
        int exitCode = process.onExit().join().exitValue();
        return new Outcome(exitCode, output());
    }

    /** What it has said so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9}. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Stops it in its tracks. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on where it was stopped. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .inheritIO()
                    .start();
            if (kill.onExit().join().exitValue() != 0) {
                throw new IllegalStateException("no process gets SIG" + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
