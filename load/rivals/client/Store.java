import java.io.IOException;

/** A store of three servers, by its usual client. Any thread, of which each passes its own number as caller. */
interface Store extends AutoCloseable {
    /** Waits until all three servers serve, and prepares what a store needs before it takes keys. */
    void prepare() throws Exception;

    /** Returns when a quorum has the value. */
    void put(int caller, String key, byte[] value) throws Exception;

    /** The value; fails if there is none. */
    byte[] get(int caller, String key) throws Exception;

    @Override
    void close() throws IOException;
}
