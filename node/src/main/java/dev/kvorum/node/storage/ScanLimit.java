package dev.kvorum.node.storage;

/**
 * Where a scan ends at the latest, so that it takes milliseconds and others have their turn.
 *
 * @param cells how many it visits at most, from 1 on
 * @param bytes it visits none more once keys and cells together have as many
 */
public record ScanLimit(int cells, long bytes) {
    /** As much as takes some tens of milliseconds when all of it comes from the disk. */
    public static final ScanLimit PAGE = new ScanLimit(16 << 10, 4 << 20);
}
