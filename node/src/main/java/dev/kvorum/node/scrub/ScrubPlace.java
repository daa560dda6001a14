package dev.kvorum.node.scrub;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * How far one walk is. It passes over what it can't read, and comes back to that.
 *
 * @param partition the first that the walk has not come to
 * @param file the number of the last file that it has come to; 0 if there is none, {@link Long#MAX_VALUE} if it has come to all
 * @param unreadPartitions those before that whose cells could not be read to their end
 * @param unreadFiles the numbers of those up to that which could not be read
 */
record ScrubPlace(int partition, long file, SortedSet<Integer> unreadPartitions, SortedSet<Long> unreadFiles) {
    static final ScrubPlace BEGINNING =
            new ScrubPlace(0, 0, Collections.emptySortedSet(), Collections.emptySortedSet());

    private static final int BYTES_MIN = 2 * Integer.BYTES + Long.BYTES;

    ScrubPlace {
        unreadPartitions = Collections.unmodifiableSortedSet(new TreeSet<>(unreadPartitions));
        unreadFiles = Collections.unmodifiableSortedSet(new TreeSet<>(unreadFiles));
    }

    ScrubPlace behindPartition(int passed, boolean isRead) {
        return new ScrubPlace(
                Math.max(partition, passed + 1), file, changed(unreadPartitions, passed, isRead), unreadFiles);
    }

    ScrubPlace behindFile(long passed, boolean isRead) {
        return new ScrubPlace(
                partition, Math.max(file, passed), unreadPartitions, changed(unreadFiles, passed, isRead));
    }

    private static <T> SortedSet<T> changed(SortedSet<T> unread, T part, boolean isRead) {
        SortedSet<T> changed = new TreeSet<>(unread);
        boolean _ = isRead ? changed.remove(part) : changed.add(part);
        return changed;
    }

    /** A file that is gone was replaced: nothing of it is left to be read. */
    ScrubPlace withoutGone(Collection<Long> files) {
        SortedSet<Long> present = new TreeSet<>(unreadFiles);
        boolean _ = present.retainAll(files);
        return new ScrubPlace(partition, file, unreadPartitions, present);
    }

    ScrubPlace behindAllFiles() {
        return new ScrubPlace(partition, Long.MAX_VALUE, unreadPartitions, unreadFiles);
    }

    /** Whether the walk has yet to read that file, as far as it is by now. */
    boolean lacksFile(long number) {
        return number > file || unreadFiles.contains(number);
    }

    /** Whether the walk has come to all, and nothing is left but what it could not read. */
    boolean isThrough() {
        return file == Long.MAX_VALUE;
    }

    int unread() {
        return unreadPartitions.size() + unreadFiles.size();
    }

    int encodedBytes() {
        return BYTES_MIN + Integer.BYTES * unreadPartitions.size() + Long.BYTES * unreadFiles.size();
    }

    void encode(ByteBuffer to) {
        to.putInt(partition).putLong(file).putInt(unreadPartitions.size());
        unreadPartitions.forEach((Consumer<Integer>) to::putInt);
        unreadFiles.forEach((Consumer<Long>) to::putLong);
    }

    /**
     * Takes all that is left.
     *
     * @throws IllegalArgumentException if it is no place
     */
    static ScrubPlace decode(ByteBuffer from) {
        if (from.remaining() < BYTES_MIN) {
            throw new IllegalArgumentException("it is too short");
        }
        int partition = from.getInt();
        long file = from.getLong();
        long partitions = from.getInt();
        long files = from.remaining() - Integer.BYTES * partitions;
        if (partitions < 0 || files < 0 || files % Long.BYTES != 0) {
            throw new IllegalArgumentException("it has another length");
        }
        SortedSet<Integer> unreadPartitions = new TreeSet<>();
        for (long i = 0; i < partitions; i++) {
            unreadPartitions.add(from.getInt());
        }
        SortedSet<Long> unreadFiles = new TreeSet<>();
        while (from.hasRemaining()) {
            unreadFiles.add(from.getLong());
        }
        return new ScrubPlace(partition, file, unreadPartitions, unreadFiles);
    }
}
