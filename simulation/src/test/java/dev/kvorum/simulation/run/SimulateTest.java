package dev.kvorum.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The main class in processes of its own. */
@Tag("check")
class SimulateTest {
    private record Outcome(int exitCode, String said) {}

    private static Outcome simulate(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                Simulate.class.getName()));
        line.addAll(List.of(words));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), said);
    }

    @Test
    void helpShowsTheOptionsWithExamplesAndExitCodes() throws Exception {
        Outcome help = simulate("--help");

        assertThat(help.exitCode()).as(help.said()).isZero();
        assertThat(help.said())
                .startsWith("Usage: simulate")
                .contains("How many seeds; 200 unless said.", "Exit codes:", "Examples:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            seeds=5          | Unmatched argument at index 0: 'seeds=5'
            --sede=17        | Possible solutions: --seed
            --seed           | Missing required parameter for option '--seed' (N)
            --seeds=many     | Invalid value for option '--seeds': 'many' is not a long
            --kind=register  | expected one of [REGISTERS]
            --mutant=none    | Invalid value for option '--mutant': there is no
            """)
    void wrongUsageNamesWhatIsWrong(String word, String complaint) throws Exception {
        Outcome wrong = simulate(word);

        assertThat(wrong.exitCode()).as(wrong.said()).isEqualTo(2);
        assertThat(wrong.said()).contains(complaint);
    }

    @Test
    void seedsThatAreGoodExitWithZero() throws Exception {
        Outcome good = simulate("--seeds=1", "--from=5");

        assertThat(good.exitCode()).as(good.said()).isZero();
        assertThat(good.said()).contains("1 seeds");
    }
}
