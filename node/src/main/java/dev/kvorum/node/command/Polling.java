package dev.kvorum.node.command;

import dev.kvorum.control.ControlException;
import java.time.Duration;

/**
 * How often a command looks again at what it waits for, or shows: nodes tell nobody when they have got on, they are asked.
 *
 * @param interval between the end of one look and the next
 */
record Polling(Duration interval) {
    /**
     * Blocks until the next look is due.
     *
     * @throws ControlException if the thread is interrupted meanwhile: then nobody waits any more
     */
    void awaitNextLook() {
        try {
            Thread.sleep(interval);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlException("interrupted", ControlException.UNREACHABLE);
        }
    }
}
