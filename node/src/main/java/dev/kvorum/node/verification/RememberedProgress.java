package dev.kvorum.node.verification;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.WitnessNote;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this member remembers of the {@link Progress} of the others, also from one life to the next: a disk that comes back from a copy can't know that it is one.
 *
 * <p>Any thread. It remembers as many as there are members, and the last {@value #FORMER_MAX} directories that each of them had before.
 */
public final class RememberedProgress {
    private static final Logger LOG = LoggerFactory.getLogger(RememberedProgress.class);
    private static final int WORDS = 5;
    private static final int FORMER_MAX = 8; // Of one member. They are disks that were replaced by hand.

    private final WitnessNote note;
    private final Membership membership;
    private final Map<String, Known> furthest = new ConcurrentSkipListMap<>();
    private volatile boolean isChanged;
    private boolean failing;

    /**
     * What is known of one member.
     *
     * @param former the directories that it had before, the latest first
     */
    private record Known(Progress progress, List<UUID> former) {
        Known after(Progress told) {
            if (told.incarnation().equals(progress.incarnation())) {
                return new Known(progress.orFurther(told), former);
            }
            List<UUID> more = Stream.concat(Stream.of(progress.incarnation()), former.stream())
                    .limit(FORMER_MAX)
                    .toList();
            return new Known(told, more);
        }

        String line(String member) {
            return "%s %s %d %d %s\n"
                    .formatted(
                            member,
                            progress.incarnation(),
                            progress.start(),
                            progress.written(),
                            former.stream().map(UUID::toString).collect(Collectors.joining(",")));
        }

        static Known parse(String[] words) {
            Progress progress =
                    new Progress(UUID.fromString(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
            return new Known(
                    progress,
                    words[WORDS - 1].isEmpty()
                            ? List.of()
                            : Stream.of(words[WORDS - 1].split(",", -1))
                                    .map(UUID::fromString)
                                    .toList());
        }
    }

    /** Reads what former lives have noted. Blocks. */
    public RememberedProgress(WitnessNote note, Membership membership) {
        this.note = note;
        this.membership = membership;
        note.witnessed().ifPresent(this::read);
    }

    private void read(String noted) {
        try {
            noted.lines()
                    .map(line -> line.split(" ", WORDS))
                    .forEach(words -> furthest.put(words[0], Known.parse(words)));
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
     * @return what was remembered of that directory before; {@link Progress#none} if nothing was, {@link Progress#replaced} if the member has had another one since
     */
    public Progress hear(String member, Progress told) {
        Progress before = before(furthest.get(member), told);
        // Those that only ask tell nothing. What is no member is not remembered: there is room for members.
        if (told.isFurtherThan(before.start(), before.written())
                && membership.view().topology().member(member).isPresent()) {
            furthest.compute(member, (id, known) -> known == null ? new Known(told, List.of()) : known.after(told));
            isChanged = true;
        }
        return before;
    }

    private static Progress before(@Nullable Known known, Progress told) {
        if (known == null) {
            return Progress.none(told.incarnation());
        }
        if (known.progress.incarnation().equals(told.incarnation())) {
            return known.progress;
        }
        return known.former.contains(told.incarnation())
                ? Progress.replaced(told.incarnation())
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
                .map(entry -> entry.getValue().line(entry.getKey()))
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
