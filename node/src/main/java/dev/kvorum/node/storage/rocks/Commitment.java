package dev.kvorum.node.storage.rocks;

import reactor.core.publisher.MonoSink;

/** What waits for the writer. */
sealed interface Commitment permits PendingWrite, PendingRemoval, PendingDrop {
    /** Who asked for it. */
    MonoSink<?> sink();
}
