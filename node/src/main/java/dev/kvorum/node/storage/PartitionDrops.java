package dev.kvorum.node.storage;

import java.util.function.BooleanSupplier;
import reactor.core.publisher.Mono;

/** Drops whole partitions, and nothing that was written to them meanwhile. Any thread may call it; nothing blocks the caller. */
public interface PartitionDrops {
    /** From now on it is known whether anything is written to that partition. One watch of a partition at a time. */
    Watch watch(int partition);

    /** A partition of which somebody finds out whether it may be dropped. To be closed. */
    interface Watch extends AutoCloseable {
        /**
         * Drops all that the partition holds, unless something was written to it since the watch began. All of it goes or nothing, whatever crashes.
         *
         * @param permit runs what it is given, which takes milliseconds, if that is still right, and sees to it that it stays so meanwhile; returns
         *     whether it did. Called by the thread that commits
         * @return whether it was dropped
         */
        Mono<Boolean> drop(Permit permit);

        @Override
        void close();
    }

    /** Lets something be done, or not. */
    @FunctionalInterface
    interface Permit {
        /** Runs it and returns what it returns, or false. */
        boolean given(BooleanSupplier work);
    }
}
