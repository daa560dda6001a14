package dev.kvorum.node.storage.rocks;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/**
 * A cell that waits to be committed.
 *
 * @param loop the event loop that asked for it, which is answered there; null for any other thread
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record PendingWrite(
        byte[] key,
        byte[] cell,
        MonoSink<Void> sink,
        @Nullable Executor loop) implements Commitment {}
