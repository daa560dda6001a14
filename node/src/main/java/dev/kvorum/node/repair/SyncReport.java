package dev.kvorum.node.repair;

/**
 * What moving a partition came to.
 *
 * @param cells that were moved
 * @param bytes that were moved, with the lists that were needed for it
 */
public record SyncReport(long cells, long bytes) {
    static final SyncReport NOTHING = new SyncReport(0, 0);

    SyncReport plus(SyncReport other) {
        return new SyncReport(cells + other.cells, bytes + other.bytes);
    }
}
