package dev.kvorum.topology.change;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself to whoever changes the members.
 *
 * @param cluster null where its topology names none
 * @param partitions of the cluster
 * @param incarnation of its data directory
 * @param epoch that it goes by
 * @param named whether that epoch names it
 * @param rebuilding how many partitions it lacks, of which it may have acknowledged cells before its disk was lost
 */
public record MemberReport(
        String member,
        @Nullable String cluster,
        int partitions,
        UUID incarnation,
        long epoch,
        boolean named,
        int rebuilding,
        Transfer transfer,
        Former former,
        Disk disk,
        Past past) {
    public MemberReport {
        requireNonNull(member, "member");
        requireNonNull(incarnation, "incarnation");
        requireNonNull(transfer, "transfer");
        requireNonNull(former, "former");
        requireNonNull(disk, "disk");
        requireNonNull(past, "past");
    }

    /** One of which it does not matter whether it was away. */
    public MemberReport(
            String member,
            @Nullable String cluster,
            int partitions,
            UUID incarnation,
            long epoch,
            boolean named,
            int rebuilding,
            Transfer transfer,
            Former former,
            Disk disk) {
        this(
                member,
                cluster,
                partitions,
                incarnation,
                epoch,
                named,
                rebuilding,
                transfer,
                former,
                disk,
                new Past(0, Long.MAX_VALUE));
    }

    /**
     * What it pulls for the running change; all 0 while none is running.
     *
     * @param settled whether it was told that every member goes by the change
     * @param partitions of which it is to hold more
     * @param verified those of which it holds all that it is to hold
     * @param cells pulled so far
     * @param bytes pulled so far, of lists and cells
     * @param bytesPerSecond of late
     * @param failure of the last attempt, in words; empty if it did not fail
     */
    public record Transfer(
            boolean settled,
            int partitions,
            int verified,
            long cells,
            long bytes,
            long bytesPerSecond,
            long bytesPerSecondMax,
            String failure) {
        public Transfer {
            requireNonNull(failure, "failure");
        }

        /** Nothing to do. */
        public static Transfer none(long bytesPerSecondMax) {
            return new Transfer(false, 0, 0, 0, 0, 0, bytesPerSecondMax, "");
        }

        public boolean isDone() {
            return settled && verified == partitions;
        }
    }

    /**
     * What it holds though it need not.
     *
     * @param pending partitions that may have such cells and are yet to be dropped
     * @param dropped partitions since its start
     * @param failure of the last attempt, in words; empty if it did not fail
     */
    public record Former(int pending, int dropped, String failure) {}

    /**
     * Since when it is no member any more.
     *
     * @param awayMillis how long ago it was one last, in milliseconds; 0 if it is one, or never was one with the data that it has
     * @param graceMillis how long deletions are kept at least: one that was away for longer may hold what was deleted since and forgotten
     */
    public record Past(long awayMillis, long graceMillis) {
        /** Whether deletions may have been forgotten since: what it holds of the deleted would come back. */
        public boolean isForgotten() {
            return awayMillis > graceMillis;
        }
    }

    /** Bytes that are free where its data lies, and bytes that its data takes. */
    public record Disk(long free, long used) {}
}
