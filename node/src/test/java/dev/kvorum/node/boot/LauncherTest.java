package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main class in processes of its own. */
@Tag("check")
class LauncherTest {
    @TempDir
    private Path directory;

    private record Outcome(int exitCode, String said) {}

    private static Outcome launchWith(String option, String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                Launcher.class.getName()));
        line.addAll(List.of(words));
        return run(line);
    }

    private static Outcome launch(String... words) throws IOException, InterruptedException {
        return launchWith("-XX:+UseSerialGC", words);
    }

    private static Outcome run(List<String> line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), said);
    }

    @Test
    void helpIsACommandAndExitsWithZero() throws Exception {
        Outcome help = launch("--help");

        assertThat(help.exitCode()).as(help.said()).isZero();
        assertThat(help.said()).startsWith("Usage: kvorum-node").contains("Examples:");
    }

    @Test
    void typoIsWrongUsage() throws Exception {
        Outcome typo = launch("statsu", "--node=http://127.0.0.1:1");

        assertThat(typo.exitCode()).as(typo.said()).isEqualTo(2);
        assertThat(typo.said()).contains("Did you mean: kvorum-node status");
    }

    @Test
    void clusterThatDoesNotAnswerIsAFailure() throws Exception {
        Outcome unreachable = launch("status", "--node=http://127.0.0.1:1");

        assertThat(unreachable.exitCode()).as(unreachable.said()).isEqualTo(1);
        assertThat(unreachable.said())
                .isEqualToIgnoringNewLines("http://127.0.0.1:1 can't be asked: java.net.ConnectException");
    }

    @Test
    void shellCompletesCommandsAndOptionsByTheGeneratedScript() throws Exception {
        Outcome script = launch("generate-completion");
        Path file = Files.writeString(directory.resolve("completion"), script.said());

        assertThat(completions(file, "kvorum-node", "st")).containsExactly("start", "status");
        assertThat(completions(file, "kvorum-node", "plan", "--re")).containsExactly("--remove");
    }

    /** As bash asks for them when the last word is followed by a tab; compopt works in no other place. */
    private static List<String> completions(Path script, String... words) throws IOException, InterruptedException {
        String line =
                "compopt() { :; }; source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_kvorum-node; printf '%%s\n' \"${COMPREPLY[@]}\""
                        .formatted(script, String.join(" ", words), words.length - 1);
        return run(List.of("bash", "-c", line))
                .said()
                .lines()
                .map(String::strip)
                .sorted()
                .toList();
    }

    /** A node starts as fast as if there were no commands. */
    @Test
    void nodeThatStartsLoadsNoClassOfTheCommands() throws Exception {
        Outcome refused = launchWith("-Xlog:class+load", "--kvorum.node-id=", "--kvorum.data-dir=" + directory);

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.said())
                .contains("dev.kvorum.node.boot.KvorumNode source:")
                .doesNotContain(" picocli.")
                .doesNotContain(" dev.kvorum.node.command.");
    }
}
