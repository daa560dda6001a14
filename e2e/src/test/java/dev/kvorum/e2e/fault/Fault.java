package dev.kvorum.e2e.fault;

/** Something that is broken until it is closed. */
public interface Fault extends AutoCloseable {
    @Override
    void close();
}
