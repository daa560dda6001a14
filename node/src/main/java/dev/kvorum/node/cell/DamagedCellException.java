package dev.kvorum.node.cell;

/** The bytes of a cell are not those that its coordinator made for that key: memory or a disk has changed them. Such a cell must not be served, and does not count as absent. */
public final class DamagedCellException extends MalformedCellException {
    private static final long serialVersionUID = 1;

    DamagedCellException(Version version) {
        super("the cell of version " + version + " does not have its checksum: memory or a disk has changed it");
    }
}
