package dev.kvorum.topology.change;

import static java.util.Objects.requireNonNull;

import dev.kvorum.topology.Topology;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself to the command or the operator that changes the members. In JSON, the fields of {@link Identity} and {@link Standing} stand beside the
 * others.
 */
public record MemberReport(
        Identity identity, Standing standing, Transfer transfer, Former former, Disk disk, Past past) {
    public MemberReport {
        requireNonNull(identity, "identity");
        requireNonNull(standing, "standing");
        requireNonNull(transfer, "transfer");
        requireNonNull(former, "former");
        requireNonNull(disk, "disk");
        requireNonNull(past, "past");
    }

    /** The report of a node that was a member all the time, or for which it does not matter. */
    public MemberReport(Identity identity, Standing standing, Transfer transfer, Former former, Disk disk) {
        this(identity, standing, transfer, former, disk, new Past(0, Long.MAX_VALUE));
    }

    /**
     * The node and its cluster.
     *
     * @param cluster null where its topology names none
     * @param partitions of the cluster
     * @param incarnation of its data directory
     */
    public record Identity(String member, @Nullable String cluster, int partitions, UUID incarnation) {
        public Identity {
            requireNonNull(member, "member");
            requireNonNull(incarnation, "incarnation");
        }
    }

    /**
     * How far it follows the topology.
     *
     * @param epoch that it goes by
     * @param digest of the topology of that epoch, in hexadecimal, as two nodes of one epoch may go by different contents; empty where it is not known
     * @param named whether that epoch names it
     * @param rebuilding how many partitions it lacks, of which it may have acknowledged cells before its disk was lost
     * @param life on the disk that it has
     */
    public record Standing(long epoch, String digest, boolean named, int rebuilding, Life life) {
        public Standing {
            requireNonNull(digest, "digest");
            requireNonNull(life, "life");
        }

        /** Of a node whose life does not matter. */
        public Standing(long epoch, String digest, boolean named, int rebuilding) {
            this(epoch, digest, named, rebuilding, Life.WHOLE);
        }

        /** Of a node that goes by that topology. */
        public static Standing of(Topology topology, String member, int rebuilding, Life life) {
            boolean named = topology.member(member).isPresent();
            return new Standing(topology.epoch(), digestOf(topology), named, rebuilding, life);
        }

        /** The same of a node whose life does not matter. */
        public static Standing of(Topology topology, String member, int rebuilding) {
            return of(topology, member, rebuilding, Life.WHOLE);
        }
    }

    /**
     * The life of a member on its disk, from one start to the next.
     *
     * @param start the number of this start, which is above those of all starts before; 0 where it is not known
     * @param loss what the disk lacks of what the member has acknowledged; null if it lacks nothing
     */
    public record Life(long start, @Nullable Loss loss) {
        /** Of a node that does not say which start this is, and whose disk is complete. */
        public static final Life WHOLE = new Life(0, null);
    }

    /**
     * What the disk of a member lacks. Until it was given that again, its reads and votes do not count.
     *
     * @param before what the member had taken before that may be missing, in milliseconds since 1970
     * @param partitions that are not whole again
     * @param why in words, as a whole clause
     */
    public record Loss(Extent extent, long before, int partitions, String why) {
        public Loss {
            requireNonNull(extent, "extent");
            requireNonNull(why, "why");
        }

        /** How much was lost, the most first. */
        public enum Extent {
            /** All that the member held, and what it had promised. */
            ALL,
            /** Some cells of some partitions. */
            CELLS,
            /** The last writes before a power cut. */
            LATEST
        }
    }

    /** As a report tells it. */
    public static String digestOf(Topology topology) {
        return "%016x".formatted(topology.digest());
    }

    /** Whether the node goes by another topology of the same epoch. */
    public boolean contradicts(Topology topology) {
        return epoch() == topology.epoch()
                && !standing.digest().isEmpty()
                && !standing.digest().equals(digestOf(topology));
    }

    public String member() {
        return identity.member();
    }

    /** Null where its topology names none. */
    public @Nullable String cluster() {
        return identity.cluster();
    }

    /** Of the cluster. */
    public int partitions() {
        return identity.partitions();
    }

    /** Of its data directory. */
    public UUID incarnation() {
        return identity.incarnation();
    }

    /** The epoch that it goes by. */
    public long epoch() {
        return standing.epoch();
    }

    /** Whether that epoch names it. */
    public boolean named() {
        return standing.named();
    }

    /** On the disk that it has. */
    public Life life() {
        return standing.life();
    }

    /** How many partitions it lacks, of which it may have acknowledged cells before its disk was lost. */
    public int rebuilding() {
        return standing.rebuilding();
    }

    /**
     * What it pulls for the running change; all 0 while none is running.
     *
     * @param without ids of members that it was told are gone; null until it was told that all others go by the change
     * @param partitions of which it is to hold more
     * @param verified those of which it holds all that it is to hold
     * @param cells pulled so far
     * @param bytes pulled so far, of lists and cells
     * @param bytesPerSecond of late
     * @param failure of the last attempt, in words; empty if it did not fail
     */
    public record Transfer(
            @Nullable Set<String> without,
            int partitions,
            int verified,
            long cells,
            long bytes,
            long bytesPerSecond,
            long bytesPerSecondMax,
            String failure) {
        public Transfer {
            without = without == null ? null : Set.copyOf(without);
            requireNonNull(failure, "failure");
        }

        /** Nothing to do. */
        public static Transfer none(long bytesPerSecondMax) {
            return new Transfer(null, 0, 0, 0, 0, 0, bytesPerSecondMax, "");
        }

        /** Whether it was told that every member goes by the change. */
        public boolean settled() {
            return without != null;
        }

        public boolean isDone() {
            return settled() && verified == partitions;
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
