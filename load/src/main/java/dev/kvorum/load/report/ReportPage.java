package dev.kvorum.load.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One self-contained HTML page: style, script and data within. It shows one run, or several of them side by side. */
public final class ReportPage {
    private ReportPage() {}

    /** @param summaries of the runs to show, in order; {@link SummaryJson} makes them */
    public static String of(List<? extends JsonNode> summaries) throws IOException {
        ArrayNode data = SummaryJson.MAPPER.createArrayNode();
        summaries.forEach(data::add);
        String title = summaries.getFirst().path("title").asText() + (summaries.size() > 1 ? ", compared" : "");
        // Within a script element only this could end it early.
        String json = SummaryJson.MAPPER
                .writeValueAsString(data)
                .replace("</", "<\\/")
                .replace("<!--", "<\\u0021--");
        return resource("report.html")
                .replace("${title}", title.replace("&", "&amp;").replace("<", "&lt;"))
                .replace("${style}", resource("report.css"))
                .replace("${script}", resource("charts.js") + resource("report.js"))
                .replace("${data}", json);
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = ReportPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException("The resource " + name + " is missing from the jar.");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
