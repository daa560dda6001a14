package dev.kvorum.node.scrub;

import java.nio.ByteBuffer;

/**
 * What a walk has read and found, whichever lives of the node carried it out.
 *
 * @param cells that it has checked
 * @param files that it has checked
 * @param bytes of both
 * @param damagedCells cells that did not have their checksum: their partitions are rebuilt from the other members
 * @param damagedFiles files with a block that did not have its checksum: the node is not ready
 * @param unread partitions and files that could not be read to their ends yet
 */
public record ScrubFindings(long cells, long files, long bytes, long damagedCells, long damagedFiles, long unread) {
    static final ScrubFindings NONE = new ScrubFindings(0, 0, 0, 0, 0, 0);
    static final int BYTES = 5 * Long.BYTES; // What can't be read is noted by itself.

    ScrubFindings plus(ScrubFindings more) {
        return new ScrubFindings(
                cells + more.cells,
                files + more.files,
                bytes + more.bytes,
                damagedCells + more.damagedCells,
                damagedFiles + more.damagedFiles,
                unread + more.unread);
    }

    static ScrubFindings ofCells(long cells, long bytes, long damaged) {
        return new ScrubFindings(cells, 0, bytes, damaged, 0, 0);
    }

    static ScrubFindings ofFile(long bytes, boolean isIntact) {
        return new ScrubFindings(0, 1, bytes, 0, isIntact ? 0 : 1, 0);
    }

    ScrubFindings withUnread(long now) {
        return new ScrubFindings(cells, files, bytes, damagedCells, damagedFiles, now);
    }

    /** Whether something is damaged. */
    boolean areBad() {
        return damagedCells + damagedFiles > 0;
    }

    void encode(ByteBuffer to) {
        to.putLong(cells).putLong(files).putLong(bytes).putLong(damagedCells).putLong(damagedFiles);
    }

    static ScrubFindings decode(ByteBuffer from) {
        return new ScrubFindings(from.getLong(), from.getLong(), from.getLong(), from.getLong(), from.getLong(), 0);
    }
}
