package dev.kvorum.history.check;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Copy;
import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.History;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A history and what is promised of it, to be judged. */
record Judged(History history, Promises promises) {
    static Judged of(Operation... operations) {
        return new Judged(History.of(operations), Promises.ofPlainQuorums());
    }

    Judged with(DiskLoss... losses) {
        return new Judged(new History(history.operations(), List.of(losses), history.copies()), promises);
    }

    /** What these hold was written, if nothing else says so by writes whose clients were told nothing. */
    Judged with(Copy... copies) {
        List<Operation> operations = new ArrayList<>(history.operations());
        Stream.of(copies)
                .map(Copy::value)
                .filter(value ->
                        value != null && operations.stream().noneMatch(operation -> value.equals(operation.value())))
                .distinct()
                .forEach(value ->
                        operations.add(Told.write(value, Outcome.UNKNOWN).at(0, 1)));
        return new Judged(new History(operations, history.losses(), List.of(copies)), promises);
    }

    Judged under(Promises other) {
        return new Judged(history, other);
    }

    /** The kinds of anomalies that all checks together find. */
    List<Anomaly.Kind> anomalies() {
        return new Checker(promises).check(history).stream().map(Anomaly::kind).toList();
    }
}
