package dev.kvorum.control;

/** A node refused a request, or could not be asked. The message names the node or has its words. */
public final class ControlException extends RuntimeException {
    /** The status of a node that could not be asked. */
    public static final int UNREACHABLE = 0;

    private static final int CLIENT_ERROR_MIN = 400;
    private static final int CLIENT_ERROR_MAX = 499;

    private final int status;

    /** @param status of its answer, or {@link #UNREACHABLE} */
    public ControlException(String message, int status) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }

    /** Whether the node has refused the request itself: it refuses the same again. */
    public boolean isRefusal() {
        return status >= CLIENT_ERROR_MIN && status <= CLIENT_ERROR_MAX;
    }
}
