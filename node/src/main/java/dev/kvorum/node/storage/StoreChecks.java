package dev.kvorum.node.storage;

import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Looks whether the disk still has what was written to it, whoever asks for it. Any thread may call it; nothing blocks the caller.
 *
 * <p>All fail with {@link StoreOverloadedException} at once when too much is waiting; with another error if the disk fails.
 */
public interface StoreChecks {
    /**
     * Visits the newest cells of a range as {@link PartitionStore#scan} does, and checks each of them. A damaged one is told to the {@link DamageListener}, whatever that makes of it, and
     * is passed over.
     */
    Mono<Checked> cells(KeyRange range, ScanLimit limit, CellVisitor intact);

    /** The files that hold cells, hints, registers and notes now, the oldest first. None where a store has no files. */
    Mono<List<StoredFile>> files();

    /**
     * Reads all of a file from the disk, past all memory where the file system allows that, and checks it block by block. A damaged one goes the way of one that a read has met: the node is not
     * ready from then on. One that is not there any more was replaced, and is intact.
     */
    Mono<Boolean> isIntact(StoredFile file);

    /**
     * How far a check has come.
     *
     * @param damaged how many cells were
     */
    record Checked(Scanned scanned, int damaged) {}

    /**
     * A file.
     *
     * @param number files that are made later have greater ones
     */
    record StoredFile(long number, String name, long bytes) {}
}
