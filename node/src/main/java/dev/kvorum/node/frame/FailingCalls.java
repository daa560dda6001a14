package dev.kvorum.node.frame;

import io.netty.channel.EventLoop;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that have failed and are still to be told. A few in each turn of an event loop: thousands at once would keep it from all others. The last is told in the {@value #TURNS_MAX}th turn or
 * sooner, each a millisecond after the one before.
 */
final class FailingCalls implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FailingCalls.class);
    private static final int CALLS_PER_TURN_MIN = 16;
    private static final int TURNS_MAX = 64;
    private static final long TURN_MILLIS = 1;

    private final EventLoop loop;
    private final Iterator<Call> calls;
    private final int callsPerTurn;
    private final Function<Call, CallFailedException> reason;

    private FailingCalls(EventLoop loop, List<Call> calls, Function<Call, CallFailedException> reason) {
        this.loop = loop;
        this.calls = calls.iterator();
        this.callsPerTurn = Math.max(CALLS_PER_TURN_MIN, Math.ceilDiv(calls.size(), TURNS_MAX));
        this.reason = reason;
    }

    /** Fails these calls, which nobody else may end or change; the first of them at once. */
    static void fail(EventLoop loop, List<Call> calls, Function<Call, CallFailedException> reason) {
        if (!calls.isEmpty()) { // As they are in nearly every tick of a connection.
            new FailingCalls(loop, calls, reason).run();
        }
    }

    @Override
    public void run() {
        fail(callsPerTurn);
        if (!calls.hasNext()) {
            return;
        }
        if (loop.isShuttingDown()) {
            fail(Integer.MAX_VALUE);
            return;
        }
        // Not as a task for now: of those the loop carries out 64 and more before it looks at its connections again.
        var _ = loop.schedule(this, TURN_MILLIS, TimeUnit.MILLISECONDS).addListener(turn -> {
            if (turn.isCancelled()) {
                fail(Integer.MAX_VALUE); // The loop ends, and forgets what is for later.
            }
        });
    }

    private void fail(int callsMax) {
        for (int failed = 0; failed < callsMax && calls.hasNext(); failed++) {
            fail(calls.next());
        }
    }

    /** A caller that throws must not keep the others from their answers. */
    private void fail(Call call) {
        try {
            call.fail(reason.apply(call));
        } catch (RuntimeException | Error e) {
            LOG.error("Who made a call failed on being told that it had failed, which is a bug", e);
        }
    }
}
