package dev.kvorum.history.check;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Copy;
import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of a history that is about one key. */
final class KeyHistory {
    private static final String BELOW_ALL = "";

    /**
     * How long after its client has given up a deletion may still be stamped, in nanoseconds: longer than any process is frozen here, and than its deadline and the differences of
     * clocks together.
     */
    private static final long LATE_MAX = 30_000_000_000L;

    private final String key;
    private final List<Operation> operations = new ArrayList<>();
    private final List<Copy> copies = new ArrayList<>();

    private KeyHistory(String key) {
        this.key = key;
    }

    /** All of them, in the order of their keys. */
    static Collection<KeyHistory> of(History history) {
        TreeMap<String, KeyHistory> keys = new TreeMap<>();
        for (Operation operation : history.operations()) {
            keys.computeIfAbsent(operation.key(), KeyHistory::new).operations.add(operation);
        }
        for (Copy copy : history.copies()) {
            keys.computeIfAbsent(copy.key(), KeyHistory::new).copies.add(copy);
        }
        return keys.values();
    }

    String key() {
        return key;
    }

    List<Operation> operations() {
        return operations;
    }

    List<Copy> copies() {
        return copies;
    }

    /** Acknowledged writes and deletions, the first to return first. */
    List<Operation> acknowledged() {
        return operations.stream()
                .filter(Operation::isAcknowledgedWrite)
                .sorted(Comparator.comparingLong(Operation::returned))
                .toList();
    }

    /** Answered reads, in that order. */
    List<Operation> reads(Comparator<Operation> order) {
        return operations.stream()
                .filter(Operation::isAnsweredRead)
                .sorted(order)
                .toList();
    }

    /**
     * Whether what is missing at that time may have been deleted under a later version, and the tombstone gone.
     *
     * @param missed wrote the version that is missing, or found it
     */
    boolean mayBeDeleted(Operation missed, long until) {
        String version = versionOf(missed);
        long written = written(missed);
        return operations.stream()
                .anyMatch(operation -> operation.request().kind() == Kind.DELETE
                        && operation.invoked() <= until
                        && mayHaveHappened(operation)
                        && mayFollow(operation.request().expected(), version)
                        && (operation.answer().version() == null
                                ? mayBeStampedBehind(written, operation)
                                : versionOf(operation).compareTo(version) >= 0));
    }

    /** Whether a deletion of unknown version may have got one above that of a write which began then. */
    private static boolean mayBeStampedBehind(long written, Operation deletion) {
        return written - deletion.returned() <= LATE_MAX;
    }

    /** When the write began by which that version is there, or was found. */
    private long written(Operation operation) {
        if (!operation.request().isRead()) {
            return operation.invoked();
        }
        String value = operation.value();
        return operations.stream()
                .filter(other -> !other.request().isRead() && value != null && value.equals(other.value()))
                .mapToLong(Operation::invoked)
                .min()
                .orElse(0);
    }

    /** Whether a write on that condition may come about behind that version. */
    private static boolean mayFollow(@Nullable String expected, String version) {
        return expected == null || (!expected.equals(Request.ABSENT) && expected.compareTo(version) >= 0);
    }

    /**
     * Whether a tombstone of that version, which was met at that time, may be there: by a deletion that may have happened and was not acknowledged with a lower version. It may
     * have had lower ones before.
     */
    boolean isDeletion(String version, long met) {
        return operations.stream()
                .anyMatch(operation -> operation.request().kind() == Kind.DELETE
                        && operation.invoked() <= met
                        && mayHaveHappened(operation)
                        && (operation.answer().version() == null
                                || versionOf(operation).compareTo(version) >= 0));
    }

    /** Whether its writes asked for different numbers of copies. */
    boolean mixesCopies() {
        return operations.stream()
                        .filter(operation -> !operation.request().isRead() && mayHaveHappened(operation))
                        .mapToInt(operation -> operation.request().from())
                        .distinct()
                        .limit(2)
                        .count()
                > 1;
    }

    /** Whether what has this version may have been deleted until then without anybody being told. */
    boolean mayBeDeletedUnseen(String version, long until) {
        long written = operations.stream()
                .filter(operation -> version.equals(operation.answer().version()))
                .mapToLong(this::written)
                .min()
                .orElse(0);
        return operations.stream()
                .anyMatch(operation -> operation.request().kind() == Kind.DELETE
                        && operation.invoked() <= until
                        && mayBeStampedBehind(written, operation)
                        && operation.answer().outcome() == Answer.Outcome.UNKNOWN);
    }

    private static boolean mayHaveHappened(Operation operation) {
        return switch (operation.answer().outcome()) {
            case OK, UNKNOWN -> true;
            case FAILED, REFUSED -> false;
        };
    }

    /** The version of what was written or found, below all others where there is none. */
    static String versionOf(Operation operation) {
        return orBelowAll(operation.answer().version());
    }

    static String orBelowAll(@Nullable String version) {
        return version == null ? BELOW_ALL : version;
    }
}
