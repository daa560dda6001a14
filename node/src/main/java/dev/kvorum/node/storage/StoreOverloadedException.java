package dev.kvorum.node.storage;

/** So much is waiting for the disk that more would wait too long. Nothing was done; try later. */
public final class StoreOverloadedException extends RuntimeException {
    public StoreOverloadedException() {
        super("the storage queue is full", null, false, false); // Thrown when there is no time: it must stay cheap.
    }
}
