package dev.kvorum.node.boot;

import dev.kvorum.node.storage.CallingLoop;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Executor;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import reactor.netty.resources.LoopResources;

/** Which of the node's event loops calls. There are few: looking through them costs less than a thread-local. */
final class EventLoops implements CallingLoop {
    private final EventExecutor[] loops;

    EventLoops(LoopResources resources) {
        this.loops = StreamSupport.stream(resources.onServer(true).spliterator(), false)
                .toArray(EventExecutor[]::new);
    }

    @Override
    public @Nullable Executor get() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return loop;
            }
        }
        return null;
    }
}
