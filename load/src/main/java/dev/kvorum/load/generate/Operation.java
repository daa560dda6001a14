package dev.kvorum.load.generate;

/** What a request does to its key, and the status that says it was done. */
public enum Operation {
    GET(200),
    PUT(201),
    DELETE(202);

    private final int success;

    Operation(int success) {
        this.success = success;
    }

    /**
     * Whether this status is the answer that was wanted.
     *
     * @param absentAllowed whether the keys may be absent, as they are where some requests delete
     */
    boolean isSuccess(int status, boolean absentAllowed) {
        return status == success || (this == GET && status == 404 && absentAllowed);
    }
}
