package dev.kvorum.node.boot;

import dev.kvorum.node.http.ConnectionLimit;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Refuses clients that connect to a node that stops, before the client port is closed and its requests are finished. The port looks once which
 * connections there are, and goes on taking some for a moment: those would be served by a node that has closed its ways to the others, and be told that
 * there is no quorum. Started and stopped once.
 */
final class ClientsLifecycle implements SmartLifecycle {
    private final ConnectionLimit clients;
    private volatile boolean running;

    ClientsLifecycle(ConnectionLimit clients) {
        this.clients = clients;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE + 1;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        clients.admitNoMore();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
