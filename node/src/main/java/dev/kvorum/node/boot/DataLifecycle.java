package dev.kvorum.node.boot;

import dev.kvorum.node.core.NodeCore;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/** A node begins to repair and to move data when everything else works, and stops that first. */
final class DataLifecycle implements SmartLifecycle {
    private final NodeCore core;
    private volatile boolean running;

    DataLifecycle(NodeCore core) {
        this.core = core;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE + 1;
    }

    @Override
    public void start() {
        running = true;
        core.startMovingData();
    }

    @Override
    public void stop() {
        running = false;
        core.stopMovingData();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
