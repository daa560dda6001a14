package dev.kvorum.node.storage.history;

import dev.kvorum.node.storage.history.Life.End;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lives of a store and the operations in them, from lines in the order in which they were told:
 *
 * <pre>
 * life FSYNC kept          it begins; "fresh" where what was there was set aside
 * open 17 99 false false   changes on the disk, newest hybrid time, whether the last writes may be missing and that is noted
 * refused WHY              or it does not open; neither where it is killed first
 * ready                    all was read once, callers begin
 * i 4 write 0/k3 CELL      an operation begins
 * o 4 ...                  and has ended, with its answer
 * e 4 WHY                  or with an error
 * changes 18               so many changes are on the disk
 * owed n2 5                so many hints wait, by the store's account
 * end POWER                how the life has ended
 * </pre>
 *
 * Cells are named by version and checksum, so the newer of two has the greater name. Other lines are passed over.
 */
public final class StoreHistory {
    private static final Set<String> TROUBLES = Set.of("stuck", "unarranged", "ends", "died", "unclosed");

    private final List<Life> lives = new ArrayList<>();
    private final List<Op> operations = new ArrayList<>();
    private final List<Trouble> troubles = new ArrayList<>();
    private final Map<Integer, List<Long>> changes = new HashMap<>();
    private final Map<Integer, Map<String, Long>> owed = new HashMap<>();

    /** Something that the store, or what looks after it, found wrong. */
    record Trouble(int life, String words) {}

    private StoreHistory() {}

    /** Reads a history. */
    public static StoreHistory of(List<String> lines) {
        StoreHistory history = new StoreHistory();
        Reader reader = history.new Reader();
        for (int i = 0; i < lines.size(); i++) {
            reader.take(i, lines.get(i));
        }
        return history;
    }

    List<Life> lives() {
        return lives;
    }

    List<Op> operations() {
        return operations;
    }

    List<Trouble> troubles() {
        return troubles;
    }

    /** The lives before that one whose store it found: none if that was set aside. */
    List<Life> formers(Life life) {
        int first = life.number();
        while (first > 0 && !lives.get(first).fresh()) {
            first--;
        }
        return lives.subList(first, life.number());
    }

    /** Whether something had happened to files that the life found. */
    boolean isRotten(Life life) {
        return formers(life).stream().anyMatch(former -> former.end() == End.ROT);
    }

    /** The lives that show what that one has left: the next that has read all, and before it those that did not get so far. */
    List<Life> witnesses(Life life) {
        List<Life> next = new ArrayList<>();
        for (int i = life.number() + 1; i < lives.size() && !lives.get(i).fresh(); i++) {
            next.add(lives.get(i));
            if (lives.get(i).ready() != Op.NEVER) {
                break;
            }
        }
        return next;
    }

    /** How many changes were said to be on the disk, in the order in which it was said. */
    List<Long> changes(Life life) {
        return changes.getOrDefault(life.number(), List.of());
    }

    /** How many hints a member was owed when the life began, by the store's account. */
    Map<String, Long> owed(Life life) {
        return owed.getOrDefault(life.number(), Map.of());
    }

    /** The operations on single keys and notes, by key: those on partitions are told to all of their keys. */
    Map<String, List<Op>> byKey() {
        Map<String, List<Op>> keys = new LinkedHashMap<>();
        Set<String> names = operations.stream()
                .filter(op -> op.key().contains("/"))
                .map(Op::key)
                .collect(Collectors.toCollection(TreeSet::new));
        for (Op op : operations) {
            single(op, names)
                    .forEach(one -> keys.computeIfAbsent(one.key(), key -> new ArrayList<>())
                            .add(one));
        }
        return keys;
    }

    private static Stream<Op> single(Op op, Set<String> names) {
        return switch (op.kind()) {
            case WRITE, READ, REMOVE, STEP, LOOK -> Stream.of(op);
            case NOTE, NOTED -> Stream.of(op.about(op.kind(), "note " + op.key(), op.got()));
            case DROP -> of(op, names).map(key -> op.about(Op.Kind.DROP, key, op.got()));
            case SCAN -> of(op, names).map(key -> op.about(Op.Kind.READ, key, found(op, key)));
            case ROWS -> of(op, names).map(key -> op.about(Op.Kind.ROWS, key, found(op, key)));
            case WATCH, PUT, PAGE, UNHINT -> Stream.of();
        };
    }

    private static Stream<String> of(Op op, Set<String> names) {
        return names.stream().filter(name -> name.startsWith(op.key() + "/"));
    }

    private static List<String> found(Op op, String key) {
        if (!op.isAnswered()) {
            return op.got();
        }
        return List.of(op.got().stream()
                .filter(pair -> pair.startsWith(key + "="))
                .map(pair -> pair.substring(key.length() + 1))
                .findFirst()
                .orElse(Op.NONE));
    }

    /** Where it is. */
    private final class Reader {
        private final Map<String, Begun> begun = new LinkedHashMap<>();
        private boolean syncs;
        private boolean fresh;
        private int first;
        private int ready = Op.NEVER;
        private Life.@Nullable Opened opened;
        private @Nullable String refusal;

        private record Begun(int line, List<String> words) {}

        void take(int line, String text) {
            List<String> words = List.of(text.split(" ", -1));
            int life = lives.size();
            switch (words.getFirst()) {
                case "life" -> begin(line, words);
                case "open" -> {
                    opened = new Life.Opened(
                            Long.parseLong(words.get(1)),
                            Long.parseLong(words.get(2)),
                            Boolean.parseBoolean(words.get(3)),
                            Boolean.parseBoolean(words.get(4)));
                    changes.computeIfAbsent(life, number -> new ArrayList<>()).add(opened.changes());
                }
                case "refused" -> refusal = text;
                case "ready" -> ready = line;
                case "i" -> begun.put(words.get(1), new Begun(line, words.subList(2, words.size())));
                case "o" -> end(line, words.get(1), words.subList(2, words.size()), false);
                case "e" -> end(line, words.get(1), words.subList(2, words.size()), true);
                case "changes" ->
                    changes.computeIfAbsent(life, number -> new ArrayList<>()).add(Long.parseLong(words.get(1)));
                case "owed" ->
                    owed.computeIfAbsent(life, number -> new HashMap<>())
                            .put(words.get(1), Long.parseLong(words.get(2)));
                case "end" -> endLife(line, End.valueOf(words.get(1)));
                default -> {
                    if (TROUBLES.contains(words.getFirst())) {
                        troubles.add(new Trouble(life, text));
                    }
                }
            }
        }

        private void begin(int line, List<String> words) {
            syncs = words.get(1).equals("FSYNC");
            fresh = words.get(2).equals("fresh");
            first = line;
            ready = Op.NEVER;
            opened = null;
            refusal = null;
        }

        private void end(int line, String id, List<String> got, boolean failed) {
            Begun operation = begun.remove(id);
            if (operation == null) {
                throw new IllegalArgumentException("line " + line + ": " + id + " had not begun");
            }
            add(operation, line, got, failed);
        }

        private void add(Begun operation, int ended, List<String> got, boolean failed) {
            List<String> words = operation.words();
            operations.add(new Op(
                    Op.Kind.valueOf(words.getFirst().toUpperCase(Locale.ROOT)),
                    lives.size(),
                    words.get(1),
                    words.subList(2, words.size()),
                    operation.line(),
                    ended,
                    got,
                    failed));
        }

        private void endLife(int line, End end) {
            begun.values().forEach(operation -> add(operation, Op.NEVER, List.of(), false));
            begun.clear();
            Life life = new Life(lives.size(), syncs, fresh, first, ready, line, opened, refusal, end);
            lives.add(life);
            if (life.hasNotOpened() && end == End.POWER) {
                losePower(life);
            }
        }

        /** What a killed life has left is not on the disk before another has opened it. */
        private void losePower(Life life) {
            for (Life former : formers(life).reversed()) {
                if (former.end() == End.KILLED) {
                    lives.set(former.number(), former.endedBy(End.POWER));
                }
                if (!former.hasNotOpened()) {
                    return;
                }
            }
        }
    }
}
