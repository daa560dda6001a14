package dev.kvorum.load.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of docs/load.md, which people choose from, against the files. */
class ScenarioTableTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| [^|]+ \\| ([0-9]+) \\|$");

    @Test
    void tableNamesEveryScenarioWithItsRounds() throws IOException {
        Map<String, Integer> delivered = new TreeMap<>();
        for (Path file : ScenarioFileTest.delivered()) {
            Scenario scenario = ScenarioFile.read(file);
            delivered.put(scenario.about().name(), scenario.rules().rounds());
        }

        Map<String, Integer> told = new TreeMap<>();
        Matcher row = ROW.matcher(section(Files.readString(Path.of("..", "docs", "load.md"))));
        while (row.find()) {
            told.put(row.group(1), Integer.valueOf(row.group(2)));
        }

        assertThat(told).isEqualTo(delivered);
    }

    private static String section(String document) {
        return document.replaceFirst("(?s).*\n## The scenarios\n", "").replaceFirst("(?s)\n## .*", "");
    }
}
