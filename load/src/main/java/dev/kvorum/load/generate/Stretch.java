package dev.kvorum.load.generate;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A stretch of load of one kind.
 *
 * @param name        for logs and progress
 * @param targets     nodes to ask, in turn
 * @param connections over which each target is asked; one request at a time on each
 * @param timeout     after which a request without an answer counts as failed and its connection is closed
 * @param requestsMax after which no more are begun; 0 for no bound
 */
public record Stretch(
        String name,
        List<URI> targets,
        Traffic traffic,
        Pace pace,
        int connections,
        Duration length,
        Duration timeout,
        long requestsMax) {
    public Stretch {
        targets = List.copyOf(targets);
    }
}
