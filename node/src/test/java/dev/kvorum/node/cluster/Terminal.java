package dev.kvorum.node.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A pseudo-terminal in which one command runs. It is that of {@code script}, which Debian always has. */
public final class Terminal implements AutoCloseable {
    private static final String MARK = "KVORUM_TERMINAL";
    private static final int CTRL_C = 3;

    private final String mark = UUID.randomUUID().toString();
    private final Path output;
    private final Process script;

    /**
     * Starts the command. No shell stands before it, which would end at Ctrl-C and close the terminal under the command.
     *
     * @param directory where it runs
     * @param environment what it gets beside the environment of the tests
     */
    public Terminal(Path directory, Map<String, String> environment, String command) {
        output = directory.resolve("terminal-" + mark + ".out");
        ProcessBuilder builder = new ProcessBuilder(
                "env", // A suite that runs in the background ignores SIGINT, and its children would.
                "--default-signal=INT,QUIT,HUP",
                "/usr/bin/script", // The PATH of the command need not have it.
                "--quiet",
                "--flush",
                "--return",
                "--command",
                "exec " + command,
                "/dev/null");
        Map<String, String> variables = new HashMap<>(environment);
        variables.put(MARK, mark);
        variables.put("SHELL", "/bin/sh");
        builder.environment().putAll(variables);
        try {
            script = builder.directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was written to the terminal so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the command has written this. */
    public void await(String text) {
        Eventually.eventually(
                "\"" + text + "\" is written",
                NodeProcess.START_MAX,
                () -> output().contains(text) || !script.isAlive());
        if (!output().contains(text)) {
            throw new AssertionError("The command ended without writing \"" + text + "\": " + output());
        }
    }

    /** Presses Ctrl-C. */
    public void interrupt() {
        try {
            script.getOutputStream().write(CTRL_C);
            script.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the terminal under the command, as the window of a terminal that is closed. */
    public void hangUp() {
        script.destroyForcibly();
    }

    /** Waits for the end of the command and returns its exit code, which is 128 more than that of a signal. */
    public int exitCode() {
        Eventually.eventually("the command ends", () -> !script.isAlive());
        return script.exitValue();
    }

    /** The command itself, without what it has started. */
    public ProcessHandle command() {
        return script.children()
                .findFirst()
                .orElseThrow(() -> new AssertionError("The command has ended: " + output()));
    }

    /** The processes that run: the command and all that it has started, also those that left the terminal. */
    public List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid() && isMarked(process))
                .toList();
    }

    private boolean isMarked(ProcessHandle process) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "environ"));
            return new String(environment, StandardCharsets.ISO_8859_1).contains(MARK + "=" + mark);
        } catch (IOException _) {
            return false; // It has ended, or is another user's.
        }
    }

    /** Ends all that still runs. */
    @Override
    public void close() {
        processes().forEach(ProcessHandle::destroyForcibly);
    }
}
