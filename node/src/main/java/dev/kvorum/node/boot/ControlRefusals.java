package dev.kvorum.node.boot;

import dev.kvorum.node.control.UnpublishedException;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import dev.kvorum.node.membership.RefusedTopologyException;
import dev.kvorum.topology.InvalidTopologyException;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.http.HttpStatus;

/** How the control interface refuses. */
final class ControlRefusals {
    private ControlRefusals() {}

    /** The answer to a request that ended in that error; the error itself where it is not foreseen. */
    static Throwable of(Throwable e) {
        String reason = String.valueOf(e.getMessage());
        return switch (e) {
            case RefusedTopologyException refused -> refused(HttpStatus.CONFLICT, "refused-topology", reason);
            case InvalidTopologyException invalid -> refused(HttpStatus.BAD_REQUEST, "invalid-topology", reason);
            case UnpublishedException unpublished ->
                unpublished.isRefused()
                        ? refused(HttpStatus.CONFLICT, "refused", reason)
                        : refused(HttpStatus.SERVICE_UNAVAILABLE, "unknown-outcome", reason);
            case RejectedExecutionException full ->
                refused(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", "this member has too much to do: try again");
            default -> e;
        };
    }

    /** An endpoint has only one part below it. */
    static void requirePart(String part, String asked) {
        if (!asked.equals(part)) {
            throw unknownPart(part, asked);
        }
    }

    static RefusedRequestException unknownPart(String parts, String asked) {
        return refused(HttpStatus.NOT_FOUND, "not-found", "nothing is served at " + asked + "; ask for " + parts);
    }

    static RefusedRequestException refused(HttpStatus status, String name, String detail) {
        return RefusedRequestException.afterBody(Problem.of(status, name, detail));
    }
}
