package dev.kvorum.node.frame;

import dev.kvorum.node.frame.CallFailedException.Reason;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;

/**
 * The way to one peer over one connection, which it makes and makes again, until it is closed. Any thread.
 *
 * <pre>
 * state       a call                                  leaves it
 * CONNECTING  waits, until the attempt has lasted as  greeted, to READY; refused or not greeted in time, to DOWN, which
 *             long as a reply may; fails at once if   fails what waits
 *             the last attempt has failed, or the
 *             last connection was silent or lived
 *             for less than a second, or too many wait
 * READY       is sent                                 connection lost, to DOWN, which fails what is in flight
 * DOWN        fails at once                           after a pause, or soon after it was said that the peer is there,
 *                                                     to CONNECTING
 * </pre>
 *
 * <p>The pause is 5 to 10 ms after a connection that has lived for a second. Each attempt that failed, and each connection that was
 * silent or lived for less, doubles it, up to half a second: soon enough for a member that is back, and little work for one that is
 * not. A part of it is chance, so that the members of a cluster do not all come back to one of them at the same instant. What is left of
 * it is cut to 10 ms where the peer says that it is there, and so is the next one where that is said during an attempt. However often it is said, no attempt
 * follows the end of the last one sooner.
 *
 * <p>Where the last attempt did not get as far as a connection, the next is begun by a scout, on an event loop of its own ({@link PeerDialers}): it connects,
 * and hangs up. Only if it could, the link connects for good. A peer that says that it is there needs no scout.
 */
final class PeerLink {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
    private static final long PAUSE_MILLIS_MIN = 10;
    private static final long PAUSE_MILLIS_MAX = 500; // Each attempt is work for nothing.
    private static final int DOUBLINGS_MAX = 6;
    private static final int MISSING_FAILURES = 3; // At most DOUBLINGS_MAX: no more are counted.
    private static final long STABLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PeerDialers dialers;
    private final EventLoop loop;
    private final Greeting greeting;
    private final FrameLimits limits;
    private final FrameMetrics metrics;
    private final RandomGenerator random;
    private volatile @Nullable CallingConnection ready;
    private @Nullable List<Call> waiting = new ArrayList<>(); // For the attempt that runs; null while none may.
    private int attempts;
    private int failures;
    private long readySince;
    private Reason lastReason = Reason.UNREACHABLE;
    private String lastEnd = "there was no connection yet";
    private @Nullable ScheduledFuture<?> pause; // That may still be cut short.
    private boolean hurries; // The next pause is a short one.
    private boolean connectFailed; // So the last attempt ended; forgotten when the peer says that it is there.
    private boolean closed;

    /** @param loop the event loop that its connections live on */
    PeerLink(
            PeerDialers dialers,
            EventLoop loop,
            Greeting greeting,
            FrameLimits limits,
            FrameMetrics metrics,
            RandomGenerator random) {
        this.dialers = dialers;
        this.loop = loop;
        this.greeting = greeting;
        this.limits = limits;
        this.metrics = metrics;
        this.random = random;
    }

    /** Begins with the first attempt. Called once. */
    PeerLink open() {
        loop.execute(this::connect); // From there: the connection then lives on this loop.
        return this;
    }

    /** Whether its connection belongs to the thread that asks. */
    boolean isOfThisThread() {
        return loop.inEventLoop();
    }

    void call(Call call) {
        CallingConnection connection = ready;
        if (connection == null) {
            CallFailedException refusal;
            synchronized (this) {
                connection = ready; // It may have greeted meanwhile.
                refusal = connection == null ? await(call) : null;
            }
            if (refusal != null) {
                call.fail(refusal);
            }
        }
        if (connection != null) {
            connection.call(call);
        }
    }

    /** With what a call would fail at once; null where it would be sent, or wait for the attempt that runs, if there is room for it. Any thread. */
    @Nullable
    CallFailedException refusal() {
        if (ready != null) {
            return null;
        }
        synchronized (this) {
            return ready == null && waitingRoom() == null ? new CallFailedException(lastReason, lastEnd) : null;
        }
    }

    /** Where calls wait for the attempt that runs; null where they fail at once. Under the lock, without a connection. */
    private @Nullable List<Call> waitingRoom() {
        return closed || failures > 0 ? null : waiting;
    }

    /** Lets a call wait for the attempt that runs, or says why not. Under the lock. */
    private @Nullable CallFailedException await(Call call) {
        List<Call> room = waitingRoom();
        if (room == null) {
            return new CallFailedException(lastReason, lastEnd);
        }
        if (room.size() >= limits.callsMax()) {
            return new CallFailedException(
                    Reason.OVERLOADED, "more than " + limits.callsMax() + " calls wait for a connection to it");
        }
        room.add(call);
        return null;
    }

    private void connect() {
        int attempt;
        boolean scouts;
        synchronized (this) {
            if (closed) {
                return;
            }
            pause = null;
            attempt = ++attempts;
            waiting = waiting == null ? new ArrayList<>() : waiting;
            scouts = connectFailed;
        }
        if (scouts) { // And no call waits.
            begin(dialers.scoutLoop(), this::scout);
        } else {
            var _ = loop.schedule(
                    () -> endWaitOf(attempt), limits.replyTimeout().toMillis(), TimeUnit.MILLISECONDS);
            begin(Runnable::run, this::reach);
        }
    }

    /** Whatever a step of an attempt throws, another attempt follows. */
    private void begin(Executor where, Runnable step) {
        try {
            where.execute(() -> {
                try {
                    step.run();
                } catch (RuntimeException | Error e) { // Errors as well: one that Reactor takes for fatal is thrown on.
                    failed(e);
                }
            });
        } catch (RejectedExecutionException e) {
            failed(e);
        }
    }

    /**
     * Connects, hangs up at once, and connects for good on the link's own loop if that was possible: a loop that has requests to serve need not be busy with
     * what is likely to fail. On the scouts' loop.
     */
    private void scout() {
        var _ = dialers.scouts()
                .connect()
                .subscribe(
                        connection -> {
                            connection.dispose();
                            begin(loop, this::reach);
                        },
                        this::failed);
    }

    private void reach() {
        if (!isClosed()) {
            var _ = dialers.calls().connect().subscribe(this::greet, this::failed);
        }
    }

    /** An attempt to connect has failed. Any thread: it ends on that of the link, whose lock is wanted by each call while there is no connection. */
    private void failed(Throwable e) {
        String detail = ConnectionFault.inWords(dialers.peer(), e);
        if (loop.inEventLoop()) {
            failed(detail);
        } else {
            loop.execute(() -> failed(detail));
        }
    }

    private void failed(String detail) {
        synchronized (this) {
            connectFailed = true;
        }
        down(Reason.UNREACHABLE, detail, false);
    }

    /** No call waits for a connection longer than for a reply. */
    private void endWaitOf(int attempt) {
        List<Call> calls;
        synchronized (this) {
            calls = attempts == attempt ? takeWaiting() : List.of();
        }
        fail(
                calls,
                Reason.TIMED_OUT,
                "no connection to it within " + limits.replyTimeout().toMillis() + " ms");
    }

    private void greet(Connection connection) {
        synchronized (this) {
            connectFailed = false;
        }
        Channel channel = connection.channel();
        CallingConnection calling = new CallingConnection(this, channel, limits, metrics);
        begin(channel.eventLoop(), () -> {
            try {
                greet(channel, calling);
            } catch (RuntimeException | Error e) {
                var _ = channel.close();
                throw e;
            }
        });
    }

    private void greet(Channel channel, CallingConnection calling) {
        if (!channel.isActive()) {
            down(Reason.UNREACHABLE, "the connection was closed at once", false);
            return;
        }
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addBefore(NettyPipeline.ReactiveBridge, "kvorum.frames", new FrameDecoder(calling));
        pipeline.addBefore(NettyPipeline.ReactiveBridge, "kvorum.calls", calling);
        channel.config().setAutoRead(true); // A TCP channel of Reactor Netty starts without.
        calling.greet(greeting);
    }

    void ready(CallingConnection connection) {
        List<Call> calls;
        synchronized (this) {
            readySince = System.nanoTime();
            ready = connection;
            hurries = false;
            calls = takeWaiting();
        }
        LOG.debug("The way to {} is open, for {} calls that wait", dialers.peer(), calls.size());
        List<Call> late = new ArrayList<>(0);
        for (Call call : calls) {
            if (call.isLate()) {
                late.add(call);
            } else if (!call.isOver()) {
                connection.call(call);
            }
        }
        FailingCalls.fail(
                loop,
                late,
                call -> new CallFailedException(
                        Reason.TIMED_OUT, "no connection to it within " + call.waitMillis() + " ms"));
        if (isClosed()) {
            connection.close();
        }
    }

    /**
     * A connection has ended, or greeted in vain.
     *
     * @param silent whether it was given up because nothing came: it may be connected to all the same, and then those would wait in vain who wait for that
     */
    void down(Reason reason, String detail, boolean silent) {
        List<Call> calls;
        synchronized (this) {
            boolean wasStable = ready != null && !silent && System.nanoTime() - readySince > STABLE_NANOS;
            failures = wasStable ? 0 : Math.min(failures + 1, DOUBLINGS_MAX);
            ready = null;
            lastReason = reason;
            lastEnd = detail;
            calls = takeWaiting();
        }
        LOG.debug("The way to {} is down, {} in a row: {}", dialers.peer(), failures, detail);
        fail(calls, reason, detail);
        rest();
    }

    private synchronized void rest() {
        if (!closed && pause == null) { // One attempt follows, whatever has been heard twice of the last.
            long millis = hurries ? PAUSE_MILLIS_MIN : pauseMillis();
            connectFailed &= !hurries;
            hurries = false;
            pause = loop.schedule(this::connect, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** The peer says that it is there: not much is left of this pause, or of the next one where an attempt runs that may have begun too early. Any thread. */
    synchronized void hurry() {
        if (ready != null || closed) {
            return;
        }
        if (pause == null) {
            hurries = true;
        } else if (pause.getDelay(TimeUnit.MILLISECONDS) > PAUSE_MILLIS_MIN && pause.cancel(false)) {
            connectFailed = false;
            pause = loop.schedule(this::connect, PAUSE_MILLIS_MIN, TimeUnit.MILLISECONDS);
        }
    }

    private void fail(List<Call> calls, Reason reason, String detail) {
        FailingCalls.fail(loop, calls, call -> new CallFailedException(reason, detail));
    }

    private long pauseMillis() {
        long longest = Math.min(PAUSE_MILLIS_MIN << failures, PAUSE_MILLIS_MAX);
        return random.nextLong(longest / 2, longest);
    }

    private List<Call> takeWaiting() {
        List<Call> calls = waiting;
        waiting = null;
        return calls == null ? List.of() : calls;
    }

    /** Whether calls are sent at once. Any thread. */
    boolean isReady() {
        return ready != null;
    }

    /** Whether several attempts in a row have failed: the peer is down, or can't be reached. Any thread. */
    synchronized boolean isMissing() {
        return ready == null && failures >= MISSING_FAILURES;
    }

    /** Calls in flight on it. Any thread. */
    int inFlight() {
        CallingConnection connection = ready;
        return connection == null ? 0 : connection.inFlight();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Ends the connection, and makes no other. */
    void close() {
        List<Call> calls;
        synchronized (this) {
            closed = true;
            calls = takeWaiting();
        }
        fail(calls, Reason.UNREACHABLE, "it is not called any more");
        CallingConnection connection = ready;
        if (connection != null) {
            connection.close();
        }
    }
}
