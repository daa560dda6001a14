package dev.kvorum.history.check;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Copy;
import dev.kvorum.history.Operation;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * That what is found was written: by a write of that key which had begun and has not failed, and under a version that is of no
 * other. A deletion that is found was made, in the same sense, and so was what disks hold in the end. A write may have had earlier versions than the one it was acknowledged with, as it is stamped anew where a replica has acknowledged a newer one; it has no later one.
 */
final class Provenance {
    private final KeyHistory key;
    private final Consumer<Anomaly> found;
    private final Map<String, Operation> writes = new HashMap<>();
    private final Map<String, String> acknowledged = new HashMap<>(); // Values to versions.
    private final Map<String, Operation> byVersion = new HashMap<>();

    private Provenance(KeyHistory key, Consumer<Anomaly> found) {
        this.key = key;
        this.found = found;
    }

    static void check(KeyHistory key, Consumer<Anomaly> found) {
        Provenance provenance = new Provenance(key, found);
        key.operations().stream()
                .filter(operation -> !operation.request().isRead())
                .forEach(provenance::learn);
        key.operations().stream().filter(Operation::isAnsweredRead).forEach(provenance::judge);
        key.copies().forEach(provenance::judge);
    }

    private void learn(Operation write) {
        String value = write.value();
        if (value != null) {
            writes.put(value, write);
        }
        if (!write.answer().isRefused()) { // That tells the version of another.
            noteVersion(write);
            if (value != null && write.isAcknowledgedWrite()) {
                acknowledged.put(value, KeyHistory.versionOf(write));
            }
        }
    }

    private void judge(Operation read) {
        String value = read.value();
        if (value != null) {
            judgeValue(read, writes.get(value));
        } else {
            judgeDeletion(read);
        }
        noteVersion(read);
    }

    private void judgeDeletion(Operation read) {
        String version = read.answer().version();
        if (version != null && !byVersion.containsKey(version) && !key.isDeletion(version, read.returned())) {
            complain(read, "found a deletion that nobody made");
        }
    }

    private void judge(Copy copy) {
        if (copy.value() == null) {
            return;
        }
        Operation write = writes.get(copy.value());
        if (write == null) {
            complain(copy.inWords() + ", which nobody wrote to this key");
        } else if (isNotDone(write)) {
            complain(copy.inWords() + ", which was not written, by " + write.inWords());
        }
    }

    private static boolean isNotDone(Operation write) {
        return write.answer().outcome() == Outcome.FAILED || write.answer().isRefused();
    }

    private void judgeValue(Operation read, @Nullable Operation write) {
        if (write == null) {
            complain(read, "found what nobody wrote to this key");
        } else if (write.invoked() > read.returned()) {
            complain(read, "found what was written later, by " + write.inWords());
        } else if (isNotDone(write)) {
            complain(read, "found what was not written, by " + write.inWords());
        }
    }

    /** Value and version belong together, wherever they are seen; a deletion has no value. */
    private void noteVersion(Operation seen) {
        String version = seen.answer().version();
        String value = seen.value();
        if (version == null) {
            return;
        }
        Operation other = byVersion.putIfAbsent(version, seen);
        if (other != null && !Objects.equals(other.value(), value)) {
            complain(seen, "has the version of " + other.inWords());
        }
        String last = value == null ? null : acknowledged.get(value);
        if (last != null && version.compareTo(last) > 0) {
            complain(seen, "has a later version of that value than " + last);
        }
    }

    private void complain(Operation operation, String reason) {
        complain(operation.inWords() + " " + reason);
    }

    private void complain(String words) {
        found.accept(new Anomaly(Anomaly.Kind.UNWRITTEN_VALUE, key.key(), words));
    }
}
