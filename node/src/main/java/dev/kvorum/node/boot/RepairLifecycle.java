package dev.kvorum.node.boot;

import dev.kvorum.node.repair.Repair;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/** Repair begins when everything else works, and ends first. */
final class RepairLifecycle implements SmartLifecycle {
    private final Repair repair;
    private volatile boolean running;

    RepairLifecycle(Repair repair) {
        this.repair = repair;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE + 1;
    }

    @Override
    public void start() {
        running = true;
        repair.start();
    }

    @Override
    public void stop() {
        running = false;
        repair.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
