package dev.kvorum.node.storage.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether one key, or one note, was linearizable through all lives, but for what the end of a life may take. */
final class KeyCheck {
    private static final int SHOWN = 12;

    private final String key;
    private final List<Op> operations;
    private final Set<String> ofSteps;

    KeyCheck(String key, List<Op> operations) {
        this.key = key;
        this.operations = operations;
        this.ofSteps = operations.stream()
                .filter(op -> op.kind() == Op.Kind.STEP)
                .map(Op::cell)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private record Event(int line, int id, boolean isAnswer) {}

    /**
     * What is wrong; empty if nothing is.
     *
     * @param cuts where the log of each life ended that lost some of it, by the life's place
     */
    Optional<String> wrong(List<Life> lives, List<Cut> cuts) {
        Search search = new Search();
        boolean rotten = false;
        boolean given = false; // Up: what the key has was said to be damaged.
        for (Life life : lives) {
            rotten = !life.fresh() && (rotten || isAfterRot(life, lives));
            given = !life.fresh() && given;
            search.beginLife(fate(life, cuts.get(life.number())), life.fresh());
            for (Event event : given ? List.<Event>of() : events(life)) {
                Op op = operations.get(event.id());
                if (!event.isAnswer()) {
                    search.begin(event.id(), op);
                } else if (op.failed() && rotten) {
                    given = true;
                    break;
                } else if (op.failed()) {
                    return Optional.of(key + ": an error where nothing was damaged: " + op);
                } else {
                    List<KeyState> before = search.states();
                    if (!search.answered(event.id())) {
                        return Optional.of(words(op, before));
                    }
                }
            }
            search.endLife();
        }
        return Optional.empty();
    }

    static boolean isAfterRot(Life life, List<Life> lives) {
        return life.number() > 0 && lives.get(life.number() - 1).end() == Life.End.ROT;
    }

    private Collection<Event> events(Life life) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Op op = operations.get(i);
            if (op.life() == life.number()) {
                events.add(new Event(op.begun(), i, false));
                if (op.ended() != Op.NEVER) {
                    events.add(new Event(op.ended(), i, true));
                }
            }
        }
        events.sort(Comparator.comparingInt(Event::line));
        return events;
    }

    private Search.Fate fate(Life life, Cut cut) {
        if (!life.end().mayLose()) {
            return Search.Fate.NOTHING_IS_LOST;
        }
        return new Search.Fate() {
            @Override
            public boolean mayBeLost(Op op) {
                return !isPromised(op, life) && (!op.isChange() || op.ended() >= cut.stays());
            }

            @Override
            public boolean mayStay(Op op) {
                return op.begun() <= cut.isGone();
            }
        };
    }

    /** Whether it was answered as being on the disk, or what it saw as being there. */
    private boolean isPromised(Op op, Life life) {
        return op.isAnswered()
                && switch (op.kind()) {
                    case STEP -> true;
                    case WRITE, REMOVE, DROP -> life.syncs();
                    // A register's cell may be read before the sync that the step waits for.
                    case READ -> life.syncs() && !ofSteps.contains(op.got().getFirst());
                    default -> false;
                };
    }

    private String words(Op wrong, List<KeyState> before) {
        String last = operations.stream()
                .filter(op -> op.begun() < wrong.ended())
                .sorted(Comparator.comparingInt(op -> Math.min(op.ended(), wrong.ended())))
                .map(Op::toString)
                .collect(Collectors.collectingAndThen(
                        Collectors.toList(),
                        all -> String.join("\n    ", all.subList(Math.max(0, all.size() - SHOWN), all.size()))));
        return key + ": this answer can't be: " + wrong + "\n  the key may have had " + before
                + "\n  the last operations:\n    " + last;
    }
}
