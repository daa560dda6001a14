package dev.kvorum.node.storage;

import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * All that one node keeps: its cells, what it owes other members, its registers and its notes. They share one log, so what a node knows after a crash is what it
 * knew at one moment. Any thread; what blocks says so.
 */
public interface Store extends AutoCloseable {
    CellStore cells();

    /** The same cells, for work that goes through many of them. */
    PartitionStore partitions();

    /** Looks whether the disk still has what was written. */
    StoreChecks checks();

    /** Drops partitions. */
    PartitionDrops drops();

    HintStore hints();

    RegisterStore registers();

    /** What the node notes for itself. */
    NoteStore notes();

    /** The last of all these changes. */
    ChangeLog log();

    /** The newest hybrid time that a former life of this node has left, or 0. Blocks. */
    long newestOfFormerLife();

    /** How many changes are on the disk at least; at first, how many were found there. It grows from one life of the node to the next. */
    long changesOnDisk();

    /**
     * Keeps the newest hybrid time on the disk and brings the log there, now and at every {@code kvorum.storage.sync-interval} in which something was written.
     * Blocks for the first time. Once.
     *
     * @param newest the node's newest hybrid time
     */
    void keepNewest(LongSupplier newest);

    /**
     * From now on this one hears of damaged cells. A read of such a cell fails, as does a walk through a partition, unless the listener knows of it. Before the first
     * request.
     */
    void whenDamaged(DamageListener listener);

    /** Bytes that the cells take, in files and in memory. */
    long bytes();

    /** From 0 to 1, and above where a write that is alone is longer than all may be: how full the queue of writes is, in number or bytes. */
    double fullness();

    /** Whether the last commit, the last read or the last sync failed. */
    boolean isFailing();

    /** Why the disk serves no writes, or may lose data, with the remedy; empty while all is well, or nothing more is known. */
    Optional<String> objection();

    /** Finishes what was accepted, brings it to the disk and closes. Blocks. */
    @Override
    void close();
}
