package dev.kvorum.node.cell;

/** Bytes that are not the binary form of a cell. */
public final class MalformedCellException extends RuntimeException {
    public MalformedCellException(String reason) {
        super(reason, null, false, false); // Thrown for whatever a peer sends: it must stay cheap.
    }
}
