package dev.kvorum.simulation.world;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** What must not happen whatever the faults: exceptions that nobody caught, operations without an end, errors in the log. */
public final class Bugs {
    private static final int KEPT_MAX = 20;

    private final List<String> found = new ArrayList<>();

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
