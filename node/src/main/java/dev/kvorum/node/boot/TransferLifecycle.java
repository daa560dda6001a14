package dev.kvorum.node.boot;

import dev.kvorum.node.transfer.Transfer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/** As repair: data moves when everything else works, and stops to move first. */
final class TransferLifecycle implements SmartLifecycle {
    private final Transfer transfer;
    private volatile boolean running;

    TransferLifecycle(Transfer transfer) {
        this.transfer = transfer;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE + 1;
    }

    @Override
    public void start() {
        running = true;
        transfer.start().block();
    }

    @Override
    public void stop() {
        running = false;
        transfer.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
