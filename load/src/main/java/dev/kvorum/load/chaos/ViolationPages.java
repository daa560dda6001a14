package dev.kvorum.load.chaos;

import dev.kvorum.history.Copy;
import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.check.Anomaly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Pictures of broken promises: for each key a page with its operations on a line of time, and what the replicas held in the end. */
final class ViolationPages {
    private static final int PAGES_MAX = 20;
    private static final String STYLE = """
            body{font:13px sans-serif;margin:2em}table{border-collapse:collapse}td{padding:1px 8px;white-space:nowrap}
            .line{width:600px;position:relative;background:#f3f3f3}.line i{position:absolute;top:3px;height:10px;min-width:2px}
            .ok i{background:#4a7}.unknown i{background:#da3}.failed i{background:#bbb}.broken{background:#fdd}li{margin:.4em 0}""";

    private final Path folder;
    private final History history;
    private final List<Anomaly> anomalies;

    ViolationPages(Path folder, History history, List<Anomaly> anomalies) {
        this.folder = folder;
        this.history = history;
        this.anomalies = anomalies;
    }

    /** Writes the pages of the first keys on which a promise was broken; none where none was. */
    void write() throws IOException {
        List<String> keys = anomalies.stream()
                .map(Anomaly::key)
                .filter(key -> !key.isEmpty())
                .distinct()
                .limit(PAGES_MAX)
                .toList();
        for (String key : keys) {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(key + ".html"), page(key));
        }
    }

    private String page(String key) {
        List<Operation> operations = history.operations().stream()
                .filter(operation -> operation.key().equals(key))
                .sorted(Comparator.comparingLong(Operation::invoked))
                .toList();
        List<String> broken = anomalies.stream()
                .filter(anomaly -> anomaly.key().equals(key))
                .map(Anomaly::toString)
                .toList();
        StringBuilder page = new StringBuilder("<!doctype html><meta charset=utf-8><title>" + key + "</title>");
        page.append("<style>").append(STYLE).append("</style><h1>").append(key).append("</h1><ul>");
        broken.forEach(words -> page.append("<li>").append(escaped(words)));
        page.append("</ul><h2>Held in the end</h2><ul>");
        history.copies().stream()
                .filter(copy -> copy.key().equals(key))
                .forEach(copy -> page.append("<li>").append(escaped(inWords(copy))));
        page.append("</ul><h2>Operations</h2><table>");
        operations.forEach(operation -> row(page, operation, operations, broken));
        return page.append("</table>").toString();
    }

    private static String inWords(Copy copy) {
        return copy.inWords() + (copy.owner() ? "" : ", and need not");
    }

    private static void row(StringBuilder page, Operation operation, List<Operation> all, List<String> broken) {
        long from = all.getFirst().invoked();
        double span =
                Math.max(1, all.stream().mapToLong(Operation::returned).max().orElse(from + 1) - from);
        String words = operation.inWords();
        boolean isBroken = broken.stream().anyMatch(anomaly -> anomaly.contains(words));
        String outcome = operation.answer().outcome().name().toLowerCase(Locale.ROOT);
        page.append(String.format(
                Locale.ROOT,
                "<tr class=\"%s%s\"><td class=line><i style=\"left:%.2f%%;width:%.2f%%\"></i></td><td>%s</td></tr>%n",
                outcome,
                isBroken ? " broken" : "",
                100 * (operation.invoked() - from) / span,
                100 * (operation.returned() - operation.invoked()) / span,
                escaped(words)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
