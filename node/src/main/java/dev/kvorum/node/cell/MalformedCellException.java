package dev.kvorum.node.cell;

/** Bytes that are not the binary form of a cell. */
public sealed class MalformedCellException extends RuntimeException permits DamagedCellException {
    private static final long serialVersionUID = 1;

    public MalformedCellException(String reason) {
        super(reason, null, false, false); // Thrown for whatever a peer sends: it must stay cheap.
    }
}
