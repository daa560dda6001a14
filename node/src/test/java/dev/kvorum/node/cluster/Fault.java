package dev.kvorum.node.cluster;

/** A fault that lasts until it is closed. */
@FunctionalInterface
public interface Fault extends AutoCloseable {
    @Override
    void close();
}
