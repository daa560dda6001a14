package dev.kvorum.load.chaos.client;

import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request.Kind;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** How operations ended. Any thread. */
public final class Census {
    private static final int SURPRISES_MAX = 20;

    private final Map<Kind, Map<Outcome, Long>> ended = new EnumMap<>(Kind.class);
    private final Set<String> surprises = new LinkedHashSet<>();
    private long retried;
    private long failedTwice;
    private long unsent;

    synchronized void ended(Operation operation) {
        ended.computeIfAbsent(operation.request().kind(), _ -> new EnumMap<>(Outcome.class))
                .merge(operation.answer().outcome(), 1L, Long::sum);
    }

    synchronized void retried(Operation second) {
        retried++;
        failedTwice += second.answer().isOk() ? 0 : 1;
    }

    /** As many operations as may be were under way: one more was not begun. */
    synchronized void unsent() {
        unsent++;
    }

    synchronized void surprised(String words) {
        if (surprises.size() < SURPRISES_MAX) {
            surprises.add(words);
        }
    }

    /** Answers that no fault explains, the first few. */
    public synchronized Set<String> surprises() {
        return Set.copyOf(surprises);
    }

    public synchronized long all() {
        return ended.values().stream()
                .flatMap(outcomes -> outcomes.values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Of all operations, 0 to 1. */
    public synchronized double okShare() {
        long ok = ended.values().stream()
                .mapToLong(outcomes -> outcomes.getOrDefault(Outcome.OK, 0L))
                .sum();
        return all() == 0 ? 0 : (double) ok / all();
    }

    /** For people: a line for each kind, and one of those that were tried again. */
    public synchronized String inWords() {
        StringBuilder words = new StringBuilder();
        ended.forEach((kind, outcomes) -> {
            StringJoiner counts = new StringJoiner(", ");
            outcomes.forEach(
                    (outcome, count) -> counts.add(String.format(Locale.ROOT, "%,d %s", count, nameOf(outcome))));
            words.append(String.format(Locale.ROOT, "  %-7s %s%n", nameOf(kind), counts));
        });
        return words.append(String.format(
                        Locale.ROOT,
                        "  %,d were tried again through another node, %,d of them in vain; %,d were not sent for lack of room%n",
                        retried,
                        failedTwice,
                        unsent))
                .toString();
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
