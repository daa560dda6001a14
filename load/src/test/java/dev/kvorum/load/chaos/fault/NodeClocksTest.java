package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeClocksTest {
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    /** Tells the time whenever it is asked: by each way that a JVM has. */
    private static final String CHILD = """
            void main() throws Exception {
                while (System.in.read() > 0) {
                    System.out.println(java.time.Instant.now().toEpochMilli() + " " + System.currentTimeMillis() + " " + System.nanoTime());
                }
            }
            """;

    /** What the child told, and when. */
    private record Told(long instant, long millis, long nanos, long right) {
        Duration instantAhead() {
            return Duration.ofMillis(instant - right);
        }

        Duration millisAhead() {
            return Duration.ofMillis(millis - right);
        }
    }

    private static final class Child implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;
        private final BufferedWriter questions;

        Child(NodeClocks clocks, Path directory) throws IOException {
            Path source = Files.writeString(directory.resolve("Child.java"), CHILD);
            ProcessBuilder builder = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            source.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().putAll(clocks.environmentOf("n1"));
            process = builder.start();
            answers = process.inputReader();
            questions = process.outputWriter();
        }

        Told ask() throws IOException {
            questions.write('?');
            questions.flush();
            String[] told = answers.readLine().split(" ", -1);
            return new Told(
                    Long.parseLong(told[0]),
                    Long.parseLong(told[1]),
                    Long.parseLong(told[2]),
                    Instant.now().toEpochMilli());
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void processGoesByItsClockWhileItRuns() throws Exception {
        NodeClocks clocks = NodeClocks.compile(directory.resolve("clocks"));
        try (Child child = new Child(clocks, directory)) {
            Told right = child.ask();
            clocks.set("n1", Duration.ofHours(1));
            Told ahead = child.ask();
            clocks.set("n1", Duration.ofHours(-2));
            Told behind = child.ask();
            clocks.setRight("n1");
            Told again = child.ask();

            assertNear(right, Duration.ZERO);
            assertNear(ahead, Duration.ofHours(1));
            assertNear(behind, Duration.ofHours(-2));
            assertNear(again, Duration.ZERO);
            // What measures durations does not jump.
            assertThat(ahead.nanos() - right.nanos()).isBetween(0L, TOLERANCE.toNanos());
            assertThat(behind.nanos()).isGreaterThan(ahead.nanos());
        }
    }

    /** Within what lies between the child's look at the clock and this one's on a busy machine. */
    private static void assertNear(Told told, Duration ahead) {
        assertThat(told.instantAhead().minus(ahead).abs()).isLessThan(TOLERANCE);
        assertThat(told.millisAhead().minus(ahead).abs()).isLessThan(TOLERANCE);
    }

    @Test
    void lifeThatBeginsWithAWrongClockIsKnownUntilThatIsRight() throws Exception {
        NodeClocks clocks = NodeClocks.compile(directory.resolve("clocks"));
        var _ = clocks.environmentOf("n1");

        clocks.setBeforeStart("n1", Duration.ofSeconds(9));
        assertThat(clocks.hasBegunWrong("n1")).isTrue();
        assertThat(clocks.hasBegunWrong("n2")).isFalse();
        clocks.setRight("n1");

        assertThat(clocks.hasBegunWrong("n1")).isFalse();
    }
}
