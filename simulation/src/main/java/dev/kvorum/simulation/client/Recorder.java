package dev.kvorum.simulation.client;

import dev.kvorum.history.Operation;
import java.util.ArrayList;
import java.util.List;

/** What clients saw. */
public final class Recorder {
    private final List<Operation> operations = new ArrayList<>();

    void add(Operation operation) {
        operations.add(operation);
    }

    /** All that has ended so far. */
    public List<Operation> operations() {
        return List.copyOf(operations);
    }
}
