package dev.kvorum.history.check;

import dev.kvorum.history.Copy;
import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import java.util.List;

/** A history and what is promised of it, to be judged. */
record Judged(History history, Promises promises) {
    static Judged of(Operation... operations) {
        return new Judged(History.of(operations), Promises.ofPlainQuorums());
    }

    Judged with(DiskLoss... losses) {
        return new Judged(new History(history.operations(), List.of(losses), history.copies()), promises);
    }

    Judged with(Copy... copies) {
        return new Judged(new History(history.operations(), history.losses(), List.of(copies)), promises);
    }

    Judged under(Promises other) {
        return new Judged(history, other);
    }

    /** The kinds of anomalies that all checks together find. */
    List<Anomaly.Kind> anomalies() {
        return new Checker(promises).check(history).stream().map(Anomaly::kind).toList();
    }
}
