import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for stores that start. */
final class Patience {
    /** The longest that any request may take. */
    static final Duration REQUEST = Duration.ofSeconds(10);

    private static final Duration START = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 200;

    private Patience() {}

    /** Asks again until the answer is yes, for a minute; failures count as no. */
    static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + START.toNanos();
        Exception last = null;
        while (System.nanoTime() < end) {
            try {
                if (holds.call()) {
                    return;
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e;
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IllegalStateException("Still not so after " + START.toSeconds() + " s: " + what, last);
    }
}
