package dev.kvorum.load.generate;

/** How a request ended. */
public enum Outcome {
    /** With the answer that was wanted. */
    DONE,
    /** With {@code 503}: the node said at once that it has too much to do. */
    REFUSED,
    /** With another status. */
    FAILED,
    /** The connection was lost or could not be had. */
    LOST,
    /** No answer in time. */
    TIMED_OUT;

    private static final int REFUSAL = 503;

    /**
     * Of a request that was answered.
     *
     * @param absentAllowed as for {@link Operation#isSuccess}
     */
    static Outcome of(Operation operation, int status, boolean absentAllowed) {
        if (operation.isSuccess(status, absentAllowed)) {
            return DONE;
        }
        return status == REFUSAL ? REFUSED : FAILED;
    }
}
