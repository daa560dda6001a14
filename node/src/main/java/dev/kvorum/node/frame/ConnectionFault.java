package dev.kvorum.node.frame;

import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/** Says why a connection or a call failed, in words for a client. Names of Java classes go to the log only. Any thread. */
public final class ConnectionFault {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionFault.class);

    private ConnectionFault() {}

    /** @param member or its address, for the log */
    public static String inWords(Object member, Throwable e) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(e);
        String words = inWords(root);
        if (root instanceof IOException || root instanceof MalformedFrameException) {
            LOG.debug("The connection to {} failed: {}", member, words, root);
        } else {
            LOG.warn("A call to {} failed in a way that is not expected of a network", member, root);
        }
        return words;
    }

    private static String inWords(Throwable root) {
        return switch (root) {
            case MalformedFrameException malformed -> "it sent a malformed frame: " + malformed.getMessage();
            case ConnectTimeoutException late -> "it did not accept the connection in time";
            case ConnectException refused -> "it refused the connection";
            case NoRouteToHostException unrouted -> "there is no route to its address";
            case UnknownHostException unknown -> "its host name has no address";
            case IOException broken -> "the connection broke";
            default -> "the call failed; the coordinator's log says why";
        };
    }
}
