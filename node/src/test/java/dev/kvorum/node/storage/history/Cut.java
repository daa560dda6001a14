package dev.kvorum.node.storage.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the log of one life ended that lost some of it, as far as the next life shows. All that a store holds has one log, so what ended before something that is still there began is still there, and
 * what began after something that is gone had ended is gone.
 *
 * @param stays the greatest line at which something began that is still there
 * @param last that operation
 * @param isGone the least line at which something had ended that is gone
 * @param first that operation
 */
record Cut(
        int stays, @Nullable Op last, int isGone, @Nullable Op first) {
    static final Cut UNKNOWN = new Cut(-1, null, Op.NEVER, null);

    /** What is wrong: something is gone, and something later is there. */
    Optional<String> wrong() {
        return isGone >= stays
                ? Optional.empty()
                : Optional.of("gone: " + first + "\n  though later and there: " + last);
    }

    private Cut there(Op op) {
        return op.begun() > stays ? new Cut(op.begun(), op, isGone, first) : this;
    }

    private Cut gone(Op op) {
        return op.ended() < isGone ? new Cut(stays, last, op.ended(), op) : this;
    }

    /** The cut at the end of that life, by what the next ones found. */
    static Cut of(Life life, StoreHistory history) {
        Cut cut = UNKNOWN;
        if (!life.end().mayLose()) {
            return cut;
        }
        List<Life> witnesses = history.witnesses(life);
        for (List<Op> operations : history.byKey().values()) {
            List<Op> own =
                    operations.stream().filter(op -> op.life() == life.number()).toList();
            Optional<Op> look = operations.stream()
                    .filter(op -> isFound(op, witnesses))
                    .filter(op -> op.kind() == Op.Kind.LOOK || op.kind() == Op.Kind.NOTED)
                    .findFirst();
            if (look.isPresent()) {
                List<String> found = look.get().got();
                cut = cut.rows(own, found.getFirst());
                cut = found.size() > 1 ? cut.cells(own, found.get(1)) : cut;
            }
        }
        return cut.hints(life, witnesses, history);
    }

    /** Whether it was answered before callers of those lives changed anything. */
    private static boolean isFound(Op op, List<Life> witnesses) {
        return op.isAnswered()
                && witnesses.stream().anyMatch(life -> op.life() == life.number() && op.ended() < life.ready());
    }

    private Cut cells(List<Op> own, String found) {
        Cut cut = this;
        boolean mayBeRemoved = own.stream()
                .anyMatch(op -> op.isChange() && (op.kind() == Op.Kind.REMOVE || op.kind() == Op.Kind.DROP));
        for (Op op : own) {
            if (!op.cell().equals(Op.LEFT)) {
                cut = op.cell().equals(found) ? cut.there(op) : cut;
                cut = op.isAnswered() && !mayBeRemoved && op.cell().compareTo(found) > 0 ? cut.gone(op) : cut;
            }
        }
        return cut;
    }

    private Cut rows(List<Op> own, String found) {
        Cut cut = this;
        List<Op> changes = own.stream().filter(op -> !op.row().equals(Op.LEFT)).toList();
        Optional<Op> author =
                changes.stream().filter(op -> op.row().equals(found)).findFirst();
        boolean mayBeRemoved = found.equals(Op.NONE) && author.isPresent();
        if (author.isPresent() && !mayBeRemoved) {
            cut = cut.there(author.get());
        }
        for (Op op : changes) {
            boolean isGone = author.isEmpty() || (!mayBeRemoved && author.get().isBefore(op));
            cut = op.isAnswered() && isGone ? cut.gone(op) : cut;
        }
        return cut;
    }

    private Cut hints(Life life, List<Life> witnesses, StoreHistory history) {
        Cut cut = this;
        Map<String, Op> pages = new HashMap<>();
        history.operations().stream()
                .filter(op -> op.kind() == Op.Kind.PAGE && isFound(op, witnesses))
                .forEach(op -> pages.putIfAbsent(op.key(), op));
        for (Map.Entry<String, Op> page : pages.entrySet()) {
            Set<String> found = HintCheck.cells(page.getValue());
            Predicate<Op> own = op -> op.key().equals(page.getKey());
            Set<String> removed = of(history, life.number(), own)
                    .filter(op -> op.kind() == Op.Kind.UNHINT)
                    .flatMap(op -> op.arguments().stream())
                    .collect(Collectors.toSet());
            for (Op op : of(history, life.number(), own).toList()) {
                cut = switch (op.kind()) {
                    case PUT -> {
                        String cell = op.arguments().getFirst();
                        if (found.contains(cell)) {
                            yield cut.there(op);
                        }
                        yield op.isAnswered() && !removed.contains(cell) ? cut.gone(op) : cut;
                    }
                    case UNHINT ->
                        op.isAnswered() && op.arguments().stream().anyMatch(found::contains) ? cut.gone(op) : cut;
                    default -> cut;
                };
            }
        }
        return cut;
    }

    private static Stream<Op> of(StoreHistory history, int life, Predicate<Op> which) {
        return history.operations().stream().filter(op -> op.life() == life).filter(which);
    }
}
