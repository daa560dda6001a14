package dev.kvorum.node.frame;

import dev.kvorum.node.frame.CallFailedException.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.StringUtils;

/** The caller's end of a connection. Calls may be made and cancelled by any thread; the rest belongs to the event loop. */
final class CallingConnection extends ChannelInboundHandlerAdapter implements FrameReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(CallingConnection.class);
    // Characters: each request that asks the peer tells its client of them.
    private static final int GOODBYE_MAX = 1000;
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 999;

    private final PeerLink link;
    private final Channel channel;
    private final FrameLimits limits;
    private final FrameMetrics metrics;
    private final Outbox outbox;
    private final Assembly assembly;
    private final CallRing ring;
    private final int waitMillis;
    private @Nullable Ticking ticking;
    private @Nullable Ticking beating;
    private @Nullable Greeting greeting; // That was sent.
    private boolean greeted;
    private boolean heard;
    private int silentBeats;
    private boolean silent;
    private volatile boolean ended;
    private Reason endReason = Reason.UNREACHABLE;
    private String end = "the connection was closed";

    CallingConnection(PeerLink link, Channel channel, FrameLimits limits, FrameMetrics metrics) {
        this.link = link;
        this.channel = channel;
        this.limits = limits;
        this.metrics = metrics;
        this.outbox = new Outbox(channel, limits.bytesMax(), metrics);
        this.assembly = new Assembly(limits);
        this.ring = new CallRing(limits.callsMax());
        this.waitMillis = (int) limits.replyTimeout().toMillis();
    }

    /** Sends the greeting; the link hears of its answer. Called once. */
    void greet(Greeting mine) {
        greeting = mine;
        Duration promised = limits.beat();
        outbox.offer(Message.of(FrameType.HELLO, (int) promised.toMillis(), mine.hello()));
        ticking = new Ticking(channel, this::tick, limits.tick());
        // Not so many ticks: those of a busy loop come late, and the peer's loop need not be as busy.
        beating = new Ticking(channel, this::beat, promised.minus(limits.tick()));
        var _ = channel.eventLoop().schedule(this::requireWelcome, waitMillis, TimeUnit.MILLISECONDS);
    }

    private void requireWelcome() {
        if (!greeted && channel.isActive()) {
            metrics.silent();
            giveUp("it did not greet within " + waitMillis + " ms");
        }
    }

    /** Makes a call. Any thread. */
    void call(Call call) {
        if (!ring.place(call)) {
            call.fail(new CallFailedException(
                    Reason.OVERLOADED, "more than " + ring.size() + " calls are in flight to it"));
            return;
        }
        call.placedOn(this);
        if (!outbox.offer(call) && ring.remove(call)) {
            call.fail(new CallFailedException(
                    Reason.OVERLOADED, "more than " + limits.bytesMax() + " bytes are on their way to it"));
        } else if (ended && ring.remove(call)) {
            call.fail(failed(call)); // It ended meanwhile, and may have looked before this call stood in the ring.
        }
    }

    /** Nobody waits for that call any more. Any thread. */
    void cancelled(Call call) {
        if (ring.find(call.id()) == call) {
            outbox.offerUnhurried(new Cancel(call));
        }
    }

    @Override
    public void receive(Frame frame) {
        heard = true;
        switch (frame.type) {
            case REPLY -> reply(frame);
            case WELCOME -> welcome(frame);
            case GOODBYE -> goodbye(frame);
            case PONG -> LOG.trace("{} is there", channel);
            case HELLO, CALL, CANCEL, PING -> throw new MalformedFrameException(frame.type + " came from a server");
        }
    }

    private void welcome(Frame frame) {
        Greeting mine = greeting;
        if (greeted || mine == null || frame.head != Greeting.VERSION) {
            throw new MalformedFrameException("a welcome in version " + frame.head + " was not asked for");
        }
        String mistake = mine.mistake(mine.readWelcome(frame.body));
        if (mistake == null) {
            greeted = true;
            link.ready(this);
        } else {
            metrics.mistaken();
            giveUp(mistake);
        }
    }

    private void goodbye(Frame frame) {
        if (greeted) {
            endReason = Reason.UNREACHABLE; // What is in flight may have been carried out.
        } else if (frame.head == Greeting.MISTAKEN) {
            metrics.mistaken(); // The member that was meant is somewhere else, or nowhere.
        } else {
            endReason = Reason.REFUSED;
        }
        giveUp(StringUtils.truncate(frame.body.toString(StandardCharsets.UTF_8), GOODBYE_MAX));
    }

    private void reply(Frame frame) {
        Call call = ring.find(frame.id);
        if (call == null) {
            assembly.drop(frame.id); // Cancelled or late, while the reply was on its way.
            return;
        }
        if (frame.head < STATUS_MIN || frame.head > STATUS_MAX) {
            throw new MalformedFrameException(frame.head + " is not a status");
        }
        switch (assembly.add(frame, waitMillis)) {
            case WHOLE -> ended(call, frame.head, bytes(assembly.take(frame)));
            case PARTIAL, IGNORED -> LOG.trace("A reply goes on");
            case TOO_LONG -> failed(call, Reason.REFUSED, "its reply is longer than " + limits.bodyMax() + " bytes");
            case NO_ROOM -> failed(call, Reason.OVERLOADED, "there is no memory left for its reply");
        }
    }

    /** Not copied where they are an array of their own already. */
    private static byte[] bytes(ByteBuf body) {
        return ByteBufUtil.getBytes(body, body.readerIndex(), body.readableBytes(), false);
    }

    private void ended(Call call, int status, byte[] body) {
        if (!ring.remove(call)) {
            return;
        }
        if (call.isOver()) {
            metrics.cancelSpared();
        } else {
            call.reply(new FrameResponse(status, body));
        }
    }

    private void failed(Call call, Reason reason, String detail) {
        if (ring.remove(call)) {
            call.fail(new CallFailedException(reason, detail));
        }
    }

    /** Ends what is late, and sends what was not hurried. */
    private void tick() {
        long now = System.nanoTime();
        List<Call> late = new ArrayList<>(0);
        ring.removeIf(call -> call.isLate(now), late::add);
        late.forEach(this::takeBack);
        FailingCalls.fail(
                channel.eventLoop(),
                late,
                call -> new CallFailedException(Reason.TIMED_OUT, "no answer within " + call.waitMillis() + " ms"));
        assembly.dropLate(now);
        outbox.resume();
    }

    private void takeBack(Call late) {
        late.abandon();
        if (late.hasBegun()) {
            assembly.drop(late.id());
            outbox.offerUnhurried(new Message(FrameType.CANCEL, 0, late.id(), 0, Message.NOTHING));
        }
    }

    /** Asks whether the peer is there. One that stays silent is given up, and so is one that talks but takes nothing. */
    private void beat() {
        silentBeats = outbox.standsStill() || !heard ? silentBeats + 1 : 0;
        heard = false;
        if (silentBeats >= limits.silentBeatsMax()) {
            silent = true;
            metrics.silent();
            giveUp("it was silent, or took nothing, for " + limits.silenceMax().toMillis() + " ms");
        } else {
            outbox.offer(Message.of(FrameType.PING, 0, Message.NOTHING));
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            outbox.resume();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(cause);
        metrics.ended(channel, root);
        giveUp(ConnectionFault.inWords(channel, root));
    }

    private void giveUp(String reason) {
        end = reason;
        var _ = channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        if (ticking != null) {
            ticking.stop();
        }
        if (beating != null) {
            beating.stop();
        }
        link.down(endReason, end, silent);
        List<Call> unanswered = new ArrayList<>();
        ring.removeIf(call -> true, unanswered::add);
        FailingCalls.fail(channel.eventLoop(), unanswered, this::failed);
        assembly.clear();
        outbox.discard();
    }

    /** Of a call that had no reply when the connection ended. */
    private CallFailedException failed(Call unanswered) {
        return new CallFailedException(endReason, end);
    }

    int inFlight() {
        return ring.inFlight();
    }

    long waitingBytes() {
        return outbox.waitingBytes();
    }

    /** Closes it; what is in flight fails. Any thread. */
    void close() {
        var _ = channel.close();
    }

    /** Tells the peer, unless the reply has come by then, or the call has not been sent. */
    private final class Cancel extends Message {
        private final Call call;

        Cancel(Call call) {
            super(FrameType.CANCEL, 0, call.id(), 0, NOTHING);
            this.call = call;
        }

        @Override
        boolean proceeds() {
            if (!ring.remove(call)) {
                return false;
            }
            assembly.drop(id());
            metrics.cancelled(call.hasBegun());
            return call.hasBegun();
        }
    }
}
