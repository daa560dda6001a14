package dev.kvorum.operator.node;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * What a node says of itself: {@code GET /v0/member} of {@code docs/peer-protocol.md}.
 *
 * @param member its id
 * @param cluster that of its topology
 * @param incarnation of its data directory: another means another disk
 * @param epoch of the topology that it goes by
 * @param named whether that topology names it
 * @param rebuilding partitions that it has yet to pull because it lost its disk
 * @param transfer the running change, as far as it concerns this node
 * @param former what it holds of former days
 * @param disk the room that it has
 * @param past whether what it holds may be used again
 */
public record NodeReport(
        String member,
        String cluster,
        UUID incarnation,
        long epoch,
        boolean named,
        int rebuilding,
        Transfer transfer,
        Former former,
        Disk disk,
        Past past) {
    public NodeReport {
        requireNonNull(member, "member");
        requireNonNull(cluster, "cluster");
        requireNonNull(incarnation, "incarnation");
        requireNonNull(transfer, "transfer");
        requireNonNull(former, "former");
        requireNonNull(disk, "disk");
        requireNonNull(past, "past");
    }

    /**
     * What a node pulls while members change.
     *
     * @param settled whether it was told that all members go by this change; it waits until then
     * @param partitions of which it is to hold more after the change
     * @param verified those of which it was verified to hold all that the present owners hold
     * @param bytes pulled so far
     * @param bytesPerSecondMax the limit at which it pulls
     * @param failure why the last attempt failed; empty if it did not
     */
    public record Transfer(
            boolean settled, int partitions, int verified, long bytes, long bytesPerSecondMax, String failure) {
        public Transfer {
            requireNonNull(failure, "failure");
        }

        public boolean isVerified() {
            return settled && verified >= partitions;
        }
    }

    /**
     * What a node holds that it need not.
     *
     * @param pending partitions of which it holds some of that, or that it has not looked at
     */
    public record Former(int pending) {}

    /**
     * The disk under its data.
     *
     * @param free bytes
     * @param used bytes of its data
     */
    public record Disk(long free, long used) {}

    /**
     * When it was a member last.
     *
     * @param awayMillis how long ago that is; 0 if it is one, or was none with the data that it has
     * @param graceMillis how long deletions are kept at least
     */
    public record Past(long awayMillis, long graceMillis) {
        /** Whether deletions may have been forgotten since: what it holds of the deleted would come back. */
        public boolean isStale() {
            return awayMillis > graceMillis;
        }
    }
}
