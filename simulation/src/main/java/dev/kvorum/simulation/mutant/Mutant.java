package dev.kvorum.simulation.mutant;

import java.util.ArrayList;
import java.util.List;

/**
 * One mistake, as it is written down:
 *
 * <pre>
 * what the mistake is, in one line
 * path/of/a/Source.java
 * -lines that stand there once
 * +lines that take their place
 * </pre>
 *
 * Several places and several files may follow each other.
 *
 * @param name of its file
 * @param words what the mistake is
 */
public record Mutant(String name, String words, List<Edit> edits) {
    /** In one file the lines {@code before} become {@code after}. Lines end with a line feed each. */
    record Edit(String file, String before, String after) {
        String applyTo(String source) {
            int place = source.indexOf(before);
            if (before.isEmpty() || place < 0 || source.indexOf(before, place + 1) >= 0) {
                throw new IllegalStateException(file
                        + " does not have these lines exactly once, so the mutant has to be written anew:\n" + before);
            }
            return source.substring(0, place) + after + source.substring(place + before.length());
        }
    }

    static Mutant parse(String name, List<String> lines) {
        List<Edit> edits = new ArrayList<>();
        String file = "";
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (String line : lines.subList(1, lines.size())) {
            boolean begins = line.endsWith(".java") || (line.startsWith("-") && !after.isEmpty());
            if (begins && !before.isEmpty()) {
                edits.add(new Edit(file, before.toString(), after.toString()));
                before.setLength(0);
                after.setLength(0);
            }
            if (line.startsWith("-")) {
                before.append(line, 1, line.length()).append('\n');
            } else if (line.startsWith("+")) {
                after.append(line, 1, line.length()).append('\n');
            } else {
                file = line;
            }
        }
        edits.add(new Edit(file, before.toString(), after.toString()));
        return new Mutant(name, lines.getFirst(), List.copyOf(edits));
    }
}
