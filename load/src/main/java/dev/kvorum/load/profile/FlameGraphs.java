package dev.kvorum.load.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import one.convert.Arguments;
import one.convert.JfrToFlame;

/** Three pages from one recording: processor time, allocations, locks. */
final class FlameGraphs {
    private static final List<String> KINDS = List.of("cpu", "alloc", "lock");

    private FlameGraphs() {}

    static List<Path> of(Path recording, String title) throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String kind : KINDS) {
            Path page = Path.of(recording.toString().replaceFirst("\\.jfr$", "-" + kind + ".html"));
            // Weighed by time or bytes, not by samples: a lock held long is worse than one taken often.
            List<String> options = new ArrayList<>(List.of("--" + kind, "--title", title + ", " + kind));
            if (!kind.equals("cpu")) {
                options.add("--total");
            }
            JfrToFlame.convert(recording.toString(), page.toString(), new Arguments(options.toArray(String[]::new)));
            pages.add(page);
        }
        return pages;
    }
}
