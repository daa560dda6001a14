package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Checkout;
import dev.kvorum.node.cluster.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scripts that work for minutes end at once with all that they have started, and leave no large files. Programs that take for ever stand in for Docker, Debian's installer and Java. */
@Timeout(120)
@Tag("check")
class InterruptedScriptsIT {
    private static final String ENDLESS = "/bin/sleep 1000";

    enum Script {
        KUBE_LOAD("e2e/kubernetes/load kvorum/node:dev"),
        KUBE_NODE_IMAGE("e2e/kubernetes/node-image"),
        BASE_IMAGES("node/image/base-images --local"),
        TRAINING("node/image/train HOME java");

        private final String command;

        Script(String command) {
            this.command = Checkout.file(command).toString();
        }
    }

    @TempDir
    Path directory;

    private Path programs;
    private Path temporary;
    private Path cache;
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void makePrograms() throws IOException {
        programs = Files.createDirectory(directory.resolve("bin"));
        temporary = Files.createDirectory(directory.resolve("tmp"));
        cache = Files.createDirectory(directory.resolve("cache"));
        program("id", "echo 0");
        program("java", ENDLESS);
        program("debootstrap", "for word; do [ ! -d \"$word\" ] || echo large >\"$word/file\"; done\n" + ENDLESS);
        program("docker", """
                case "$1 $2" in
                    "image inspect") [ "$3" = kvorum/node:dev ] ;;
                    "ps --quiet") echo one ;;
                    "save --output") echo large >"$3" && %s ;;
                esac""".formatted(ENDLESS));
        environment.put("PATH", programs + ":" + System.getenv("PATH"));
        environment.put("TMPDIR", temporary.toString());
        environment.put("XDG_CACHE_HOME", cache.toString());
        environment.put("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    @ParameterizedTest
    @EnumSource(Script.class)
    void interruptEndsAllThatAScriptHasStarted(Script script) {
        try (Terminal terminal = atWork(script)) {
            terminal.interrupt();

            assertThat(terminal.exitCode()).isEqualTo(130);
            assertNothingIsLeft(terminal);
        }
    }

    @ParameterizedTest
    @EnumSource(Script.class)
    void closedTerminalEndsAllThatAScriptHasStarted(Script script) {
        try (Terminal terminal = atWork(script)) {
            terminal.hangUp();

            assertNothingIsLeft(terminal);
        }
    }

    /** As make does it: no other process gets the signal. */
    @ParameterizedTest
    @EnumSource(Script.class)
    void sigtermToAScriptAloneEndsAllThatItHasStarted(Script script) {
        try (Terminal terminal = atWork(script)) {
            terminal.command().destroy();

            assertThat(terminal.exitCode()).isEqualTo(143);
            assertNothingIsLeft(terminal);
        }
    }

    @Test
    void trainingThatTakesTooLongEndsWithAllThatItHasStarted() {
        environment.put("TRAIN_SECONDS", "1");

        try (Terminal terminal = terminal(Script.TRAINING)) {
            assertThat(terminal.exitCode()).isEqualTo(124);
            assertThat(terminal.output()).contains("it took over 1 s");
            assertNothingIsLeft(terminal);
        }
    }

    private Terminal terminal(Script script) {
        if (script == Script.TRAINING) { // It looks every 100 ms whether its nodes are ready.
            program("sleep", ENDLESS);
        }
        return new Terminal(directory, environment, script.command);
    }

    private Terminal atWork(Script script) {
        Terminal terminal = terminal(script);
        try {
            eventually(
                    "it waits for a program that takes for ever",
                    () -> terminal.processes().stream()
                            .anyMatch(process ->
                                    process.info().commandLine().orElse("").endsWith("sleep 1000")));
            return terminal;
        } catch (AssertionError e) {
            terminal.close();
            throw e;
        }
    }

    private void assertNothingIsLeft(Terminal terminal) {
        eventually("no process is left", () -> terminal.processes().isEmpty());
        assertThat(Stream.of(temporary, cache).flatMap(InterruptedScriptsIT::files))
                .as("logs apart")
                .allMatch(file -> file.toString().endsWith(".log"));
    }

    private static Stream<Path> files(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void program(String name, String commands) {
        try {
            Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + commands + "\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
