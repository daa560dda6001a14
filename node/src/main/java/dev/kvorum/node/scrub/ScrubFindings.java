package dev.kvorum.node.scrub;

/**
 * What a walk, since this life of the node began or went on with it, has read and found.
 *
 * @param cells that it has checked
 * @param files that it has checked
 * @param bytes of both
 * @param damagedCells cells that did not have their checksum: their partitions are rebuilt from the other members
 * @param damagedFiles files with a block that did not have its checksum: the node is not ready
 * @param unread partitions and files that could not be read to their ends
 */
public record ScrubFindings(long cells, long files, long bytes, long damagedCells, long damagedFiles, long unread) {
    static final ScrubFindings NONE = new ScrubFindings(0, 0, 0, 0, 0, 0);

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

    static ScrubFindings ofUnread() {
        return new ScrubFindings(0, 0, 0, 0, 0, 1);
    }

    /** Whether something is wrong. */
    boolean areBad() {
        return damagedCells + damagedFiles + unread > 0;
    }
}
