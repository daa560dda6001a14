package dev.kvorum.node.http;

/** A request that can't be served as it is. */
public final class RefusedRequestException extends RuntimeException {
    private final Problem problem;
    private final boolean closing;

    private RefusedRequestException(Problem problem, boolean closing) {
        super(problem.detail(), null, false, false); // A client's mistake needs no stack trace.
        this.problem = problem;
        this.closing = closing;
    }

    /** The connection can serve the next request, unless a body is left unread. */
    public static RefusedRequestException of(Problem problem) {
        return new RefusedRequestException(problem, false);
    }

    /** The rest of the request is not wanted: the connection is closed after the answer. */
    public static RefusedRequestException closing(Problem problem) {
        return new RefusedRequestException(problem, true);
    }

    public Problem problem() {
        return problem;
    }

    public boolean isClosing() {
        return closing;
    }
}
