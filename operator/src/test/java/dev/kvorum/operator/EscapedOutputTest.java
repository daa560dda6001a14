package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Text from outside adds no line to the operator's log, and nothing that a terminal would obey. */
class EscapedOutputTest {
    private static final String FORGED = "odd\r\n2026-01-01T00:00:00Z [INFO] all is well\u001b[2J\u0007";
    private static final String ESCAPED = "odd\\r\\n2026-01-01T00:00:00Z [INFO] all is well\\u001b[2J\\u0007";

    /** A real process, which refuses a setting and quotes it. */
    @Test
    @Timeout(120)
    void controlCharactersOfAMessageAreEscaped() throws IOException, InterruptedException {
        ProcessBuilder operator = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                KvorumOperator.class.getName());
        operator.environment().put("KVORUM_OPERATOR_MANAGEMENT_PORT", FORGED);
        Process process = operator.redirectErrorStream(true).start();

        List<String> lines = lines(process.getInputStream().readAllBytes());

        assertThat(process.waitFor()).isOne();
        assertThat(lines).anyMatch(line -> line.contains("can't start") && line.contains("\"" + ESCAPED + "\""));
        assertHarmless(lines);
    }

    @Test
    void controlCharactersOfExceptionsAreEscaped() {
        Exception failure = new IllegalStateException(FORGED, new IllegalArgumentException(FORGED));
        failure.addSuppressed(new IOException("\u202e\u2028" + FORGED));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        failure.printStackTrace(new EscapedOutput(new PrintStream(bytes, true, StandardCharsets.UTF_8)));

        List<String> lines = lines(bytes.toByteArray());
        assertThat(lines)
                .contains(
                        "java.lang.IllegalStateException: " + ESCAPED,
                        "\tSuppressed: java.io.IOException: \\u202e\\u2028" + ESCAPED,
                        "Caused by: java.lang.IllegalArgumentException: " + ESCAPED)
                .anyMatch(line -> line.startsWith("\tat "));
        assertHarmless(lines);
    }

    private static List<String> lines(byte[] output) {
        return new String(output, StandardCharsets.UTF_8).lines().toList();
    }

    private static void assertHarmless(List<String> lines) {
        assertThat(lines)
                .noneMatch(line -> line.startsWith("2026-01-01"))
                .allMatch(line -> line.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t'));
    }
}
