package dev.kvorum.node.frame;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes over the connections between members, of both ends. Any thread. */
public final class FrameMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(FrameMetrics.class);

    private final MeterRegistry meters;
    private final LongAdder opened = new LongAdder();
    private final LongAdder frames = new LongAdder();
    private final LongAdder flushes = new LongAdder();
    private final LongAdder cancelsSent = new LongAdder();
    private final LongAdder cancelsUnsent = new LongAdder();
    private final LongAdder cancelsSpared = new LongAdder();
    private final LongAdder workSpared = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder silent = new LongAdder();
    private final LongAdder mistaken = new LongAdder();

    public FrameMetrics(MeterRegistry meters) {
        this.meters = meters;
        count("kvorum.peer.connections.opened", "Connections opened to other members", m -> m.opened.sum());
        count("kvorum.frames.sent", "Frames sent to other members", m -> m.frames.sum());
        count("kvorum.frames.flushes", "Writes that carried them", m -> m.flushes.sum());
        cancels("sent", m -> m.cancelsSent.sum());
        cancels("unsent", m -> m.cancelsUnsent.sum());
        cancels("spared", m -> m.cancelsSpared.sum());
        count(
                "kvorum.frames.work.spared",
                "Calls of other members that were cancelled, or too late, before this node had answered them",
                m -> m.workSpared.sum());
        count(
                "kvorum.frames.malformed",
                "Connections closed because what came over them was not the protocol",
                m -> m.malformed.sum());
        count(
                "kvorum.frames.silent",
                "Connections given up because the other member said nothing in time, or took nothing",
                m -> m.silent.sum());
        count(
                "kvorum.frames.mistaken",
                "Connections that were made to the address of one member, where another answers",
                m -> m.mistaken.sum());
    }

    private void count(String name, String description, ToDoubleFunction<FrameMetrics> value) {
        FunctionCounter.builder(name, this, value).description(description).register(meters);
    }

    private void cancels(String fate, ToDoubleFunction<FrameMetrics> value) {
        FunctionCounter.builder("kvorum.frames.cancelled", this, value)
                .description(
                        "Calls cancelled by this node: the peer was told (sent), the call had not left (unsent), or its"
                                + " reply was here before the peer was told (spared)")
                .tag("fate", fate)
                .register(meters);
    }

    /** Shows the calls and connections of the one connector that calls members for requests. */
    public void watch(FrameConnector connector) {
        Gauge.builder("kvorum.frames.calls.in.flight", connector, FrameConnector::inFlight)
                .description("Calls to other members that wait for their reply")
                .register(meters);
        Gauge.builder("kvorum.frames.connections", connector, FrameConnector::ready)
                .description("Connections to other members that are good for calls")
                .register(meters);
    }

    /** A connection to another member was opened. */
    public void opened() {
        opened.increment();
    }

    void flushed(int count) {
        frames.add(count);
        flushes.increment();
    }

    /** @param told whether the peer is told of it; else the call was not sent */
    void cancelled(boolean told) {
        (told ? cancelsSent : cancelsUnsent).increment();
    }

    void cancelSpared() {
        cancelsSpared.increment();
    }

    void workSpared() {
        workSpared.increment();
    }

    /** A connection is given up because the other member said nothing in time, not even a greeting, or took nothing. */
    void silent() {
        silent.increment();
    }

    /** A connection was made to a node that is not the member that was meant. */
    void mistaken() {
        mistaken.increment();
    }

    /** A connection ends for that cause. What comes over it may be anything, and it may break; all else is an error of this program. */
    void ended(Channel channel, Throwable cause) {
        if (cause instanceof MalformedFrameException) {
            malformed.increment();
        } else if (!(cause instanceof IOException)) {
            LOG.error("{} is closed by an error that nobody expected", channel, cause);
        }
    }
}
