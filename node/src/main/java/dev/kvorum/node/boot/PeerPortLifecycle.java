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
 * peers, and they find this node. In between, connections of clients that the client port has left open are closed, as no other member will be
 * called any more, and writes that were acknowledged reach the replicas that are slower.
 */
final class PeerPortLifecycle implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(PeerPortLifecycle.class);
    private static final Duration DRAIN_MAX = Duration.ofSeconds(10);

    private final PeerServer server;
    private final Runnable whenOpen;
    private final ConnectionLimit clients;
    private final InFlight inFlight;

    /**
     * @param whenOpen run once the port is open; must return at once
     * @param clients the connections of the client port
     */
    PeerPortLifecycle(PeerServer server, Runnable whenOpen, ConnectionLimit clients, InFlight inFlight) {
        this.server = server;
        this.whenOpen = whenOpen;
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
    }

    @Override
    public void stop() {
        clients.close();
        try {
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
