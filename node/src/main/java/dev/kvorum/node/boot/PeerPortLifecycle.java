package dev.kvorum.node.boot;

import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.http.ConnectionLimit;
import dev.kvorum.node.http.peer.PeerServer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the peers' port before the client port and closes it after: a coordinator that still answers clients finds its
 * peers, and they find this node. In between, connections of clients that the client port has left open are closed, before the ways to other members
 * are, and writes that were acknowledged reach the replicas that are slower.
 */
final class PeerPortLifecycle implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(PeerPortLifecycle.class);
    private static final Duration CLOSE_MAX = Duration.ofSeconds(1); // A loop that comes by later is stuck.
    private static final Duration DRAIN_MAX = Duration.ofSeconds(10);

    private final PeerServer server;
    private final Runnable whenOpen;
    private final Runnable beforeClients;
    private final ConnectionLimit clients;
    private final InFlight inFlight;

    /**
     * @param whenOpen run once the port is open; must return at once
     * @param beforeClients run then; the client port opens when it returns
     * @param clients the connections of the client port
     */
    PeerPortLifecycle(
            PeerServer server, Runnable whenOpen, Runnable beforeClients, ConnectionLimit clients, InFlight inFlight) {
        this.server = server;
        this.whenOpen = whenOpen;
        this.beforeClients = beforeClients;
        this.clients = clients;
        this.inFlight = inFlight;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1;
    }

    @Override
    public void start() {
        server.start();
        whenOpen.run();
        beforeClients.run();
    }

    @Override
    public void stop() {
        try {
            if (!clients.close(CLOSE_MAX)) {
                LOG.warn("Connections of clients could not be closed within {} s", CLOSE_MAX.toSeconds());
            }
            if (!inFlight.awaitNone(DRAIN_MAX)) {
                LOG.warn("{} writes had not reached all their replicas when the node stopped", inFlight.writes());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop();
    }

    @Override
    public boolean isRunning() {
        return server.isRunning();
    }
}
