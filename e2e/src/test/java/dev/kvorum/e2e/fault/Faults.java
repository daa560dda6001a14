package dev.kvorum.e2e.fault;

import java.util.ArrayDeque;
import java.util.Deque;

/** Several faults, which are mended in the opposite order, each whatever becomes of the others. */
public final class Faults implements Fault {
    private final Deque<Fault> newestFirst = new ArrayDeque<>();

    public void add(Fault fault) {
        newestFirst.push(fault);
    }

    @Override
    public void close() {
        Throwable first = null;
        while (!newestFirst.isEmpty()) {
            try {
                newestFirst.pop().close();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        switch (first) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }
}
