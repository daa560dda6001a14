package dev.kvorum.node.boot;

import dev.kvorum.topology.text.ControlCharacters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once, where the node can't go on: no request that is under way is acknowledged any more. What was acknowledged is with
 * the operating system already. Its supervisor starts it again.
 */
final class NodeEnd {
    /** {@code EX_IOERR} of {@code sysexits.h}. */
    static final int EXIT_CODE = 74;

    private static final Logger LOG = LoggerFactory.getLogger(NodeEnd.class);

    private NodeEnd() {}

    /** @param reason what happened and what to do about it, in whole sentences */
    static void now(String reason) {
        LOG.error("This node ends: {}", reason);
        System.err.println("This node ends: " + ControlCharacters.escaped(reason, ""));
        System.err.flush();
        Runtime.getRuntime().halt(EXIT_CODE); // No shutdown hook: it would wait for a database that does not answer.
    }
}
