package dev.kvorum.simulation.world;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** What must not happen whatever the faults: exceptions that nobody caught, operations without an end, errors in the log. */
public final class Bugs {
    private static final int KEPT_MAX = 20;

    private final List<String> found = new ArrayList<>();
    private final List<String> expected = new ArrayList<>(1);

    /** From now on errors in the log that have these words are right. */
    public void expect(String words) {
        expected.add(words);
    }

    /** Whether that error in the log is right. */
    public boolean isExpected(String message) {
        return expected.stream().anyMatch(message::contains);
    }

    public void add(String words) {
        if (found.size() < KEPT_MAX) { // One breeds many.
            found.add(words);
        }
    }

    public void add(String words, Throwable error) {
        StringWriter stack = new StringWriter();
        error.printStackTrace(new PrintWriter(stack));
        add(words + ": " + stack);
    }

    public List<String> found() {
        return List.copyOf(found);
    }
}
