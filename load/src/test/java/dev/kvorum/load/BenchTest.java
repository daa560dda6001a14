package dev.kvorum.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The main class in processes of its own. */
class BenchTest {
    private record Outcome(int exitCode, String said) {}

    private static Outcome bench(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                Bench.class.getName()));
        line.addAll(List.of(words));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), said);
    }

    @Test
    void helpShowsTheCommandsWithExamplesAndExitCodes() throws Exception {
        Outcome help = bench("--help");

        assertThat(help.exitCode()).as(help.said()).isZero();
        assertThat(help.said())
                .startsWith("Usage: kvorum-load")
                .contains("Commands:", "  run ", "  chaos ", "  compare ", "Exit codes:", "Examples:");
        assertThat(bench("chaos", "--help").said())
                .startsWith("Usage: kvorum-load chaos")
                .contains("3m unless said");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rum                              | 2 | Did you mean: kvorum-load run
            run                              | 2 | Missing required parameter: 'SCENARIO'
            run scenarios/r0.yaml --rusn=3   | 2 | Possible solutions: --runs
            run scenarios/none.yaml          | 2 | There is no scenario scenarios/none.yaml.
            chaos --nodes=2                  | 2 | Invalid value for option '--nodes': "2" is no whole number from 3 to 9
            compare here                     | 2 | Missing required parameter: 'B'
            compare nowhere nowhere-else     | 2 | nowhere
            run scenarios/smoke.yaml --node-jar=pom.xml --results=pom.xml | 1 | pom.xml
            """)
    void exitCodeTellsWrongUsageFromFailure(String words, int exitCode, String complaint) throws Exception {
        Outcome outcome = bench(words.split(" "));

        assertThat(outcome.exitCode()).as(outcome.said()).isEqualTo(exitCode);
        assertThat(outcome.said()).contains(complaint);
    }
}
