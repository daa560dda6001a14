package dev.kvorum.node.storage.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether the queue of one member held what was put and not removed, each hint once and in order. */
final class HintCheck {
    private final StoreHistory history;
    private final List<Cut> cuts;
    private final List<Op> operations;
    private final List<String> wrong = new ArrayList<>();
    private final Map<String, Op> puts = new HashMap<>();
    private final Map<String, List<Op>> removals =
            new HashMap<>(); // A life may lose one, and the next ask for it again.

    HintCheck(StoreHistory history, List<Cut> cuts, String member) {
        this.history = history;
        this.cuts = cuts;
        this.operations = history.operations().stream()
                .filter(op -> op.key().equals(member))
                .toList();
        for (Op op : operations) {
            if (op.kind() == Op.Kind.PUT) {
                puts.put(op.arguments().getFirst(), op);
            } else if (op.kind() == Op.Kind.UNHINT) {
                op.arguments()
                        .forEach(cell -> removals.computeIfAbsent(cell, first -> new ArrayList<>())
                                .add(op));
            }
        }
    }

    static Set<String> cells(Op page) {
        return page.got().stream()
                .skip(1)
                .filter(hint -> !hint.isEmpty())
                .map(hint -> hint.substring(hint.indexOf(':') + 1))
                .collect(Collectors.toSet());
    }

    /** What is wrong. */
    List<String> wrong() {
        Map<Integer, Set<String>> seen = new HashMap<>();
        Set<Integer> counted = new HashSet<>();
        for (Op op : operations) {
            if (op.failed()) {
                require(isRotten(op), "an error where nothing was damaged", op);
            } else if (op.kind() == Op.Kind.PAGE && op.isAnswered()) {
                if (counted.add(op.life())) {
                    count(op);
                }
                look(op, seen.computeIfAbsent(op.life(), life -> new HashSet<>()));
            } else if (op.kind() == Op.Kind.PUT && op.isAnswered()) {
                require(op.got().equals(List.of("0")), "others had to go for it though there was room", op);
            }
        }
        return wrong;
    }

    private void require(boolean right, String words, Op op) {
        if (!right) {
            wrong.add(words + ": " + op);
        }
    }

    private boolean isRotten(Op op) {
        return history.isRotten(history.lives().get(op.life()));
    }

    private void count(Op page) {
        Long owed = history.owed(history.lives().get(page.life())).get(page.key());
        require(
                owed == null
                        || owed == page.got().size() - 1 - (page.got().getLast().isEmpty() ? 1 : 0),
                "the account says " + owed,
                page);
    }

    private void look(Op page, Set<String> seenBefore) {
        require(page.got().getFirst().equals("0") || isRotten(page), "damaged hints", page);
        Set<String> found = cells(page);
        for (String cell : found) {
            Op put = puts.get(cell);
            require(
                    put != null && put.begun() < page.ended() && put.life() >= beginning(page),
                    "a hint that was not put, " + cell,
                    page);
            require(
                    removals(cell).stream().noneMatch(op -> isSurelyDone(op, page)),
                    "a hint that was removed, " + cell,
                    page);
        }
        order(page);
        if (page.got().getFirst().equals("0")) {
            for (Map.Entry<String, Op> put : puts.entrySet()) {
                boolean mayBeRemoved = removals(put.getKey()).stream().anyMatch(op -> op.begun() < page.ended());
                boolean mustBe = put.getValue().life() >= beginning(page)
                        && (isSurelyDone(put.getValue(), page) || seenBefore.contains(put.getKey()));
                require(mayBeRemoved || !mustBe || found.contains(put.getKey()), "it lacks " + put.getValue(), page);
            }
        }
        seenBefore.addAll(found);
    }

    private List<Op> removals(String cell) {
        return removals.getOrDefault(cell, List.of());
    }

    /** The life in which the store that a page is of began. */
    private int beginning(Op page) {
        int life = page.life();
        while (life > 0 && !history.lives().get(life).fresh()) {
            life--;
        }
        return life;
    }

    private boolean isSurelyDone(Op change, Op page) {
        if (!change.isAnswered() || !change.isBefore(page) || change.life() < beginning(page)) {
            return false;
        }
        return change.life() == page.life()
                || !history.lives().get(change.life()).end().mayLose()
                || change.ended() < cuts.get(change.life()).stays();
    }

    private void order(Op page) {
        long last = -1;
        Op before = null;
        for (String hint : page.got().subList(1, page.got().size())) {
            if (hint.isEmpty()) {
                continue;
            }
            long sequence = Long.parseLong(hint.substring(0, hint.indexOf(':')));
            require(sequence > last, "sequence numbers do not grow", page);
            last = sequence;
            Op put = puts.get(hint.substring(hint.indexOf(':') + 1));
            require(
                    before == null || put == null || !put.isBefore(before),
                    "the later is before the earlier, " + before,
                    page);
            before = put;
        }
    }
}
