package dev.kvorum.node.boot;

import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.http.peer.PeerServer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the peers' port before the client port and closes it after: a coordinator that still answers clients finds its
 * peers, and they find this node. In between, writes that were acknowledged reach the replicas that are slower.
 */
final class PeerPortLifecycle implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(PeerPortLifecycle.class);
    private static final Duration DRAIN_MAX = Duration.ofSeconds(10);

    private final PeerServer server;
    private final Runnable whenOpen;
    private final InFlight inFlight;

    /** @param whenOpen run once the port is open; must return at once */
    PeerPortLifecycle(PeerServer server, Runnable whenOpen, InFlight inFlight) {
        this.server = server;
        this.whenOpen = whenOpen;
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
