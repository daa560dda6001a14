package dev.kvorum.node.copy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Which members have lately had too much to do to serve this node's repair, so that somebody can be told why it takes so long. Any thread. */
public final class Refusals {
    private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Map<String, Long> refusedAt = new ConcurrentHashMap<>();

    /** @param refused whether it refused; else what it did before is forgotten if that is a while ago */
    void answered(String member, boolean refused, long now) {
        if (refused) {
            refusedAt.put(member, now);
        } else {
            refusedAt.computeIfPresent(member, (id, then) -> now - then > LATELY_NANOS ? null : then);
        }
    }

    /** In words; empty if none has. */
    public String inWords(long now) {
        String members = refusedAt.entrySet().stream()
                .filter(entry -> now - entry.getValue() <= LATELY_NANOS)
                .map(Map.Entry::getKey)
                .sorted()
                .collect(Collectors.joining(", "));
        return members.isEmpty() ? "" : members + " had too much to do and refused some calls: it goes on slowly";
    }
}
