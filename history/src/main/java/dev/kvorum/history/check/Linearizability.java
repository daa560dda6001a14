package dev.kvorum.history.check;

import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * That linearizable operations on keys which nobody writes otherwise could have been done one at a time, in the order of their versions: none is below what
 * had ended before it began, what is read was written and not refused, a write with a condition stands directly behind what it asked for, and one whose condition did not hold has seen
 * something else, as a read would. Sufficient only where versions order the writes, as they do here; Porcupine, which is told of no order, judges the same without that.
 */
public final class Linearizability {
    private Linearizability() {}

    /** What is wrong; nothing if it is as it should be. */
    public static List<Anomaly> check(History history) {
        TreeMap<String, List<Operation>> keys = new TreeMap<>();
        for (Operation operation : history.operations()) {
            if (operation.request().mode() == Mode.LINEARIZABLE
                    && (operation.answer().isOk() || operation.answer().isRefused())) {
                keys.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
            }
        }
        List<Anomaly> found = new ArrayList<>();
        KeyHistory.of(history).forEach(key -> Provenance.check(key, found::add));
        KeyHistory.of(history).forEach(key -> {
            List<Operation> operations = keys.getOrDefault(key.key(), List.of());
            order(key, operations, found);
            refusals(operations, found);
            conditions(key, operations, found);
        });
        return found;
    }

    private static void order(KeyHistory key, List<Operation> operations, List<Anomaly> found) {
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
            if (newest != null && isMissed(operation, newest) && !mayBeDeleted(key, newest, operation)) {
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
        return order < 0 || (order == 0 && !operation.isLook());
    }

    /** Whether a look that was told no version may have met a deletion: that of a tombstone is not told. One of unknown outcome may come about later. */
    private static boolean mayBeDeleted(KeyHistory key, Operation before, Operation operation) {
        return isOfNothing(operation) && key.mayBeDeleted(before, operation.returned());
    }

    /** A look that was told no version: a deletion may have been there, which was dropped since. */
    private static boolean isOfNothing(Operation operation) {
        return operation.isLook() && operation.answer().version() == null;
    }

    private static boolean leftNothing(Operation operation) {
        if (operation.answer().isRefused()) {
            return operation.answer().version() == null;
        }
        return operation.request().isRead()
                ? operation.answer().value() == null
                : operation.request().kind() == Request.Kind.DELETE;
    }

    /** What was refused must have met something else than it asked for. */
    private static void refusals(List<Operation> operations, List<Anomaly> found) {
        for (Operation write : operations) {
            String expected = write.request().expected();
            if (!write.answer().isRefused() || expected == null) {
                continue;
            }
            String met = write.answer().version();
            boolean isMet = expected.equals(Request.ABSENT) ? met == null : expected.equals(met);
            if (isMet) {
                found.add(new Anomaly(
                        Anomaly.Kind.NOT_LINEARIZABLE,
                        write.key(),
                        write.inWords() + " was refused by what it asked for, " + expected));
            }
        }
    }

    private static void conditions(KeyHistory key, List<Operation> operations, List<Anomaly> found) {
        NavigableMap<String, Boolean> isValue = new TreeMap<>(); // By version; or a deletion.
        operations.stream()
                .filter(operation -> operation.answer().version() != null)
                .forEach(operation -> isValue.put(KeyHistory.versionOf(operation), !leftNothing(operation)));
        operations.stream()
                .filter(Operation::isAcknowledgedWrite)
                .forEach(write -> condition(key, write, isValue, found));
    }

    private static void condition(
            KeyHistory key, Operation write, NavigableMap<String, Boolean> isValue, List<Anomaly> found) {
        String expected = write.request().expected();
        Map.Entry<String, Boolean> before = isValue.lowerEntry(KeyHistory.versionOf(write));
        if (expected == null) {
            return;
        }
        boolean isBroken = expected.equals(Request.ABSENT)
                ? before != null && before.getValue() && !key.mayBeDeletedUnseen(before.getKey(), write.returned())
                : before == null || before.getKey().compareTo(expected) > 0 || !isBelow(expected, write);
        if (isBroken) {
            found.add(new Anomaly(
                    Anomaly.Kind.LOST_UPDATE,
                    write.key(),
                    write.inWords() + " asked for " + expected + ", but there was "
                            + (before == null ? "nothing" : before.getKey())));
        }
    }

    private static boolean isBelow(String version, Operation write) {
        return version.compareTo(KeyHistory.versionOf(write)) < 0;
    }
}
