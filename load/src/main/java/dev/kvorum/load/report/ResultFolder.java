package dev.kvorum.load.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.load.run.RoundResult;
import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;

/**
 * What remains of a run: {@code summary.json}, {@code report.html}, {@code latency.svg}, {@code scenario.yaml}, {@code histograms/*.hlog}, {@code nodes/}
 * with the nodes' logs, and {@code flames/} where it was profiled.
 */
public final class ResultFolder {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final String SUMMARY = "summary.json";

    private ResultFolder() {}

    /** A new folder under {@code results}, named after the time and the scenario. */
    public static Path create(Path results, String scenario, Instant now) throws IOException {
        return Files.createDirectories(results.resolve(STAMP.format(now) + "-" + scenario));
    }

    public static void write(Path folder, Scenario scenario, List<RoundResult> rounds, ObjectNode summary)
            throws IOException {
        for (RoundResult round : rounds) {
            HistogramLog.write(
                    round, folder.resolve("histograms").resolve(round.variant() + "-" + round.round() + ".hlog"));
        }
        Files.writeString(folder.resolve("scenario.yaml"), scenario.about().yaml());
        summary.set("flames", SummaryJson.MAPPER.valueToTree(flames(folder)));
        SummaryJson.MAPPER
                .writerWithDefaultPrettyPrinter()
                .writeValue(folder.resolve(SUMMARY).toFile(), summary);
        Files.writeString(folder.resolve("report.html"), ReportPage.of(List.of(summary)));
        Files.writeString(folder.resolve("latency.svg"), LatencyPicture.of(summary));
    }

    /** The flame graphs' pages, from the folder on; empty where nothing was profiled. */
    private static List<String> flames(Path folder) throws IOException {
        Path flames = folder.resolve("flames");
        if (!Files.isDirectory(flames)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(flames)) {
            return files.map(file -> "flames/" + file.getFileName())
                    .filter(name -> name.endsWith(".html"))
                    .sorted()
                    .toList();
        }
    }

    /** @throws InvalidScenario if the folder holds no result that this version can read */
    public static JsonNode summary(Path folder) throws IOException {
        Path file = folder.resolve(SUMMARY);
        if (!Files.isReadable(file)) {
            throw new InvalidScenario(folder + " holds no " + SUMMARY + ": name a folder under load/results.");
        }
        JsonNode summary = SummaryJson.MAPPER.readTree(file.toFile());
        if (summary.path("schema").asInt() != SummaryJson.SCHEMA) {
            throw new InvalidScenario(file + " was written by another version of the bench; run its scenario anew.");
        }
        return summary;
    }
}
