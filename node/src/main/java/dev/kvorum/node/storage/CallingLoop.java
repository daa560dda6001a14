package dev.kvorum.node.storage;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Tells which event loop calls. Any thread. */
@FunctionalInterface
public interface CallingLoop {
    /** No thread is an event loop. */
    CallingLoop NONE = () -> null;

    /** The event loop that the calling thread is: it runs tasks behind all that it has to do now, its turn. Null if it is none. */
    @Nullable
    Executor get();
}
