package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.time.Duration;

/**
 * Ends nodes on purpose. A node that has ended by itself before is a complaint, and so is one that does not stop when it is asked to. Any thread.
 *
 * @param log takes the complaints
 */
record Ends(FaultLog log) {
    /** Kubernetes gives a node as long. */
    private static final Duration STOP_MAX = Duration.ofSeconds(45);

    /** Kills it, and waits until it has ended. */
    void kill(NodeProcess node) throws InterruptedException {
        complainIfEnded(node);
        node.kill();
        node.awaitEnd();
    }

    /** Stops it in order, and waits until it has ended. */
    void stop(NodeProcess node) throws InterruptedException {
        complainIfEnded(node);
        stopDamaged(node);
    }

    /** The same of one that may have ended by itself, as its disk is damaged. */
    void stopDamaged(NodeProcess node) throws InterruptedException {
        if (!node.stop(STOP_MAX)) {
            log.complain(node.id() + " did not stop within " + STOP_MAX.toSeconds() + " s, and was killed");
        }
    }

    /** Says so if nobody has ended it, and it does not run. */
    void complainIfEnded(NodeProcess node) {
        node.exitCode()
                .ifPresent(code ->
                        log.complain(node.id() + " has ended by itself, with code " + code + "; its log says why"));
    }
}
