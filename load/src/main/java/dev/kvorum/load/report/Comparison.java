package dev.kvorum.load.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.load.scenario.InvalidScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Two runs side by side on one page. */
public final class Comparison {
    private Comparison() {}

    /**
     * Puts the page into the second folder, named after the first.
     *
     * @return the page
     * @throws InvalidScenario if one of the folders holds no result that this version can read; then nothing is written
     */
    public static Path write(Path first, Path second) throws IOException {
        List<JsonNode> summaries = List.of(ResultFolder.summary(first), ResultFolder.summary(second));
        Path name = first.toAbsolutePath().normalize().getFileName();
        return Files.writeString(second.resolve("compared-with-" + name + ".html"), ReportPage.of(summaries));
    }
}
