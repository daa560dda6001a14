package dev.kvorum.node.cluster;

import static dev.kvorum.node.cluster.Eventually.eventually;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/** Holds an event loop until it is closed: what is done for it meanwhile waits behind, in its order. */
public final class HeldLoop implements AutoCloseable {
    private static final long SECONDS_MAX = 30;

    private volatile boolean isHeld;
    private volatile boolean isOver;

    /** Returns when the loop does nothing else any more. */
    public HeldLoop(EventLoop loop) {
        loop.execute(this::spin);
        eventually("the event loop is held", () -> isHeld);
    }

    /** Nothing may block an event loop, or wait in a way that looks like it. */
    private void spin() {
        isHeld = true;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        long now = System.nanoTime();
        while (!isOver && now < end) {
            now = System.nanoTime();
        }
        isHeld = false;
    }

    @Override
    public void close() {
        if (!isHeld) {
            throw new IllegalStateException("The event loop was not held any more");
        }
        isOver = true;
    }
}
