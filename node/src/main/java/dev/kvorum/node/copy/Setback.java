package dev.kvorum.node.copy;

import dev.kvorum.node.storage.StoreOverloadedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why work on a partition stopped, in words for an operator. The exception goes to the log only. Any thread. */
public final class Setback {
    private static final Logger LOG = LoggerFactory.getLogger(Setback.class);

    private Setback() {}

    public static String inWords(int partition, Throwable e) {
        return switch (e) {
            case CopyUnavailableException unavailable -> String.valueOf(unavailable.getMessage());
            case StoreOverloadedException full -> String.valueOf(full.getMessage());
            default -> {
                LOG.warn("Work on partition {} stopped: {}", partition, e.toString());
                LOG.debug("Work on partition {} stopped", partition, e);
                yield "this node failed; its log says why";
            }
        };
    }
}
