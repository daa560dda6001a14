package dev.kvorum.history.check;

import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * That linearizable operations on keys which nobody writes otherwise could have been done one at a time, in the order of their versions: none is below what
 * had ended before it began, what is read was written and not refused, and no write with a condition has another between what it asked for and itself. Sufficient only where versions order the writes, as they
 * do here; Porcupine, which is told of no versions, judges the same without that.
 */
public final class Linearizability {
    private Linearizability() {}

    /** What is wrong; nothing if it is as it should be. */
    public static List<Anomaly> check(History history) {
        TreeMap<String, List<Operation>> keys = new TreeMap<>();
        for (Operation operation : history.operations()) {
            if (operation.request().mode() == Mode.LINEARIZABLE
                    && operation.answer().isOk()) {
                keys.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
            }
        }
        List<Anomaly> found = new ArrayList<>();
        KeyHistory.of(history).forEach(key -> Provenance.check(key, found::add));
        keys.values().forEach(operations -> {
            order(operations, found);
            conditions(operations, found);
        });
        return found;
    }

    private static void order(List<Operation> operations, List<Anomaly> found) {
        List<Operation> begun = sorted(operations, Comparator.comparingLong(Operation::invoked));
        List<Operation> ended = sorted(operations, Comparator.comparingLong(Operation::returned));
        Operation newest = null;
        int next = 0;
        for (Operation operation : begun) {
            while (next < ended.size() && ended.get(next).precedes(operation)) {
                Operation before = ended.get(next);
                newest = newest == null || compare(before, newest) > 0 ? before : newest;
                next++;
            }
            if (newest != null && isMissed(operation, newest)) {
                found.add(new Anomaly(
                        Anomaly.Kind.NOT_LINEARIZABLE,
                        operation.key(),
                        operation.inWords() + " missed " + newest.inWords()));
            }
        }
    }

    private static List<Operation> sorted(List<Operation> operations, Comparator<Operation> order) {
        return operations.stream().sorted(order).toList();
    }

    private static int compare(Operation one, Operation other) {
        return KeyHistory.versionOf(one).compareTo(KeyHistory.versionOf(other));
    }

    private static boolean isMissed(Operation operation, Operation before) {
        if (isOfNothing(operation)) {
            return !leftNothing(before);
        }
        int order = compare(operation, before);
        return order < 0 || (order == 0 && !operation.request().isRead());
    }

    /** A read that was told no version: a deletion may have been there, which was dropped since. */
    private static boolean isOfNothing(Operation operation) {
        return operation.request().isRead() && operation.answer().version() == null;
    }

    private static boolean leftNothing(Operation operation) {
        return operation.request().isRead()
                ? operation.answer().value() == null
                : operation.request().kind() == Request.Kind.DELETE;
    }

    private static void conditions(List<Operation> operations, List<Anomaly> found) {
        TreeSet<String> versions = new TreeSet<>();
        operations.forEach(operation -> versions.add(KeyHistory.versionOf(operation)));
        for (Operation write : operations) {
            String expected = write.request().expected();
            if (expected == null || expected.equals(Request.ABSENT)) {
                continue; // What stood there then, a deletion or nothing, is not told.
            }
            String between = versions.lower(KeyHistory.versionOf(write));
            if (between != null && between.compareTo(expected) > 0) {
                found.add(new Anomaly(
                        Anomaly.Kind.LOST_UPDATE,
                        write.key(),
                        write.inWords() + " asked for " + expected + ", but there was " + between));
            }
        }
    }
}
