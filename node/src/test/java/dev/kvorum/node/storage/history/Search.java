package dev.kvorum.node.storage.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All that a key may have gone through so far: a set of possibilities, each with what the key has now, which of the operations under way have taken effect in it, or have looked at least, and, once the log's end that will be lost
 * has begun, what the key had there.
 *
 * <p>Operations take effect just in time, when one is answered: in all orders that the answers allow. Source: Lowe, "Testing for linearizability" (2017).
 */
final class Search {
    private static final int POSSIBILITIES_MAX = 200_000;

    private final Map<Integer, Op> underWay = new TreeMap<>();
    private Set<Possibility> possible = Set.of(new Possibility(KeyState.EMPTY, null, Set.of()));
    private Fate fate = Fate.NOTHING_IS_LOST;

    /** @param kept what the key has at the place from which on the log is lost; null before that place */
    private record Possibility(KeyState state, @Nullable KeyState kept, Set<Integer> done) {}

    /** What the end of a life may do to an operation of it. */
    interface Fate {
        Fate NOTHING_IS_LOST = new Fate() {
            @Override
            public boolean mayBeLost(Op op) {
                return false;
            }

            @Override
            public boolean mayStay(Op op) {
                return true;
            }
        };

        boolean mayBeLost(Op op);

        boolean mayStay(Op op);
    }

    void beginLife(Fate next, boolean fresh) {
        fate = next;
        if (fresh) {
            possible = Set.of(new Possibility(KeyState.EMPTY, null, Set.of()));
        }
    }

    void begin(int id, Op op) {
        underWay.put(id, op);
    }

    /** Whether the answer can be. */
    boolean answered(int id) {
        Set<Possibility> next = new HashSet<>();
        explore(one -> {
            if (!one.done().contains(id)) {
                return true;
            }
            next.add(new Possibility(one.state(), one.kept(), without(one.done(), id)));
            return false; // What else is under way may take effect later.
        });
        underWay.remove(id);
        possible = next;
        return !next.isEmpty();
    }

    /** What is under way was done or not. What is lost is gone. */
    void endLife() {
        Set<Possibility> next = new HashSet<>();
        explore(one -> {
            next.add(new Possibility(one.kept() == null ? one.state() : one.kept(), null, Set.of()));
            return true;
        });
        underWay.clear();
        possible = next;
    }

    List<KeyState> states() {
        return possible.stream().map(Possibility::state).distinct().limit(8).toList();
    }

    /** Visits all that can be by now; where the visitor says so, also what can come of it. */
    private void explore(Predicate<Possibility> visitor) {
        Set<Possibility> seen = new HashSet<>();
        Deque<Possibility> open = new ArrayDeque<>();
        possible.forEach(one -> add(eager(one), seen, open));
        while (!open.isEmpty()) {
            Possibility one = open.pop();
            if (visitor.test(one)) {
                successors(one).forEach(next -> add(eager(next), seen, open));
            }
        }
    }

    private static void add(Possibility one, Set<Possibility> seen, Deque<Possibility> open) {
        if (seen.add(one)) {
            open.push(one);
        }
        if (seen.size() > POSSIBILITIES_MAX) {
            throw new IllegalStateException(
                    "more than " + POSSIBILITIES_MAX + " possibilities: too many operations at a time");
        }
    }

    /** With all done that changes nothing and would be answered as it was: later it could only be answered otherwise. */
    private Possibility eager(Possibility one) {
        Set<Integer> done = one.done();
        for (Map.Entry<Integer, Op> each : underWay.entrySet()) {
            Op op = each.getValue();
            if (!op.isChange() && !done.contains(each.getKey()) && one.state().after(op) != null && isKept(one, op)) {
                done = with(done, each.getKey());
            }
        }
        return done.size() == one.done().size() ? one : new Possibility(one.state(), one.kept(), done);
    }

    /** What may not be lost, and changes nothing, sees what will be there. */
    private boolean isKept(Possibility one, Op op) {
        return one.kept() == null || fate.mayBeLost(op) || one.state().looksAs(one.kept(), op);
    }

    private List<Possibility> successors(Possibility one) {
        List<Possibility> next = new ArrayList<>();
        for (Map.Entry<Integer, Op> each : underWay.entrySet()) {
            int id = each.getKey();
            Op op = each.getValue();
            if (!op.isChange() || one.done().contains(id) || (isExclusive(op) && hasOtherLooked(one, id))) {
                continue;
            }
            if (!looks(op)) {
                KeyState after = one.state().after(op);
                if (after != null) {
                    change(one, op, after, with(one.done(), id), next);
                }
            } else if (one.done().contains(looked(id))) {
                change(one, op, one.state().changed(op), with(without(one.done(), looked(id)), id), next);
            } else if (one.state().after(op) != null) {
                next.add(new Possibility(one.state(), one.kept(), with(one.done(), looked(id))));
            }
        }
        return next;
    }

    private void change(Possibility one, Op op, KeyState after, Set<Integer> done, List<Possibility> next) {
        if (one.kept() == null && fate.mayStay(op)) {
            next.add(new Possibility(after, null, done));
        }
        if (fate.mayBeLost(op)) {
            next.add(new Possibility(after, one.kept() == null ? one.state() : one.kept(), done));
        }
    }

    /** A step looks first and changes then. */
    private static boolean looks(Op op) {
        return op.kind() == Op.Kind.STEP && op.isAnswered();
    }

    /** What does not come between the look and the change of a step. */
    private static boolean isExclusive(Op op) {
        return op.kind() != Op.Kind.WRITE;
    }

    private static boolean hasOtherLooked(Possibility one, int id) {
        return one.done().stream().anyMatch(mark -> mark < 0 && mark != looked(id));
    }

    /** The mark of a step that has looked and not changed yet. */
    private static int looked(int id) {
        return -1 - id;
    }

    private static Set<Integer> with(Set<Integer> ids, int id) {
        Set<Integer> more = new HashSet<>(ids);
        more.add(id);
        return more;
    }

    private static Set<Integer> without(Set<Integer> ids, int id) {
        Set<Integer> fewer = new HashSet<>(ids);
        fewer.remove(id);
        return fewer;
    }
}
