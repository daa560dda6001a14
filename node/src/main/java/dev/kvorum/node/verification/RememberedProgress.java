package dev.kvorum.node.verification;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.WitnessNote;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this member remembers of the {@link Progress} of the others, also from one life to the next: a disk that comes back from a copy can't know that it is one.
 *
 * <p>Any thread. It remembers as many as there are members.
 */
public final class RememberedProgress {
    private static final Logger LOG = LoggerFactory.getLogger(RememberedProgress.class);
    private static final int WORDS = 4;

    private final WitnessNote note;
    private final Membership membership;
    private final Map<String, Progress> furthest = new ConcurrentSkipListMap<>();
    private volatile boolean isChanged;
    private boolean failing;

    /** Reads what former lives have noted. Blocks. */
    public RememberedProgress(WitnessNote note, Membership membership) {
        this.note = note;
        this.membership = membership;
        note.witnessed().ifPresent(this::read);
    }

    private void read(String noted) {
        try {
            noted.lines().map(line -> line.split(" ", WORDS)).forEach(words -> {
                UUID incarnation = UUID.fromString(words[1]);
                furthest.put(
                        words[0],
                        new Progress(incarnation, Long.parseLong(words[2]), Long.parseLong(words[WORDS - 1])));
            });
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            LOG.warn(
                    "The note of how far other members had come is damaged: {}. It is made anew. Until then, this member can't tell others that"
                            + " their data directory was put back from an older copy",
                    e.toString());
            furthest.clear();
        }
    }

    /**
     * A member tells how far its directory has come.
     *
     * @return what was remembered of that directory before; {@link Progress#none} if nothing was
     */
    public Progress hear(String member, Progress told) {
        Progress before = ofSame(furthest.get(member), told);
        // Those that only ask tell nothing. What is no member is not remembered: there is room for members.
        if (told.isFurtherThan(before.start(), before.written())
                && membership.view().topology().member(member).isPresent()) {
            furthest.compute(member, (id, known) -> ofSame(known, told).orFurther(told));
            isChanged = true;
        }
        return before;
    }

    private static Progress ofSame(@Nullable Progress known, Progress told) {
        return known != null && known.incarnation().equals(told.incarnation())
                ? known
                : Progress.none(told.incarnation());
    }

    /** Notes it for the next life, if there is anything new. Blocks for the disk. */
    public synchronized void save() {
        if (!isChanged) {
            return;
        }
        isChanged = false; // First: what changes meanwhile is saved next time.
        furthest.keySet()
                .removeIf(member -> membership.view().topology().member(member).isEmpty());
        String text = furthest.entrySet().stream()
                .map(entry -> "%s %s %d %d\n"
                        .formatted(
                                entry.getKey(),
                                entry.getValue().incarnation(),
                                entry.getValue().start(),
                                entry.getValue().written()))
                .collect(Collectors.joining());
        try {
            note.noteWitnessed(text);
            failing = false;
        } catch (IOException e) {
            isChanged = true;
            if (!failing) {
                LOG.error("How far other members have come can't be noted; no more is logged of it", e);
            }
            failing = true;
        }
    }
}
