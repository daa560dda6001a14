package dev.kvorum.node.frame;

import dev.kvorum.node.frame.FrameService.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpStatus;

/**
 * The server's end of a connection: takes calls, hands them to the service, sends its replies in whatever order they come.
 * Replies may come on any thread; the rest belongs to the event loop.
 */
final class ServingConnection extends ChannelInboundHandlerAdapter implements FrameReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(ServingConnection.class);
    private static final int MISSED_MAX = 4; // Beats that the caller has promised; the caller itself gives up at three.
    private static final Reply NO_ROOM = new Reply(HttpStatus.SERVICE_UNAVAILABLE, Message.NOTHING);
    /** Replies shorter than that are hardly more than the calls themselves, which are counted. */
    static final int COUNTED_MIN = 256;

    private static final int WAIT_MILLIS_MAX = 300_000; // The longest time-out that settings allow.

    private final Channel channel;
    private final PeerDoor door;
    private final FrameLimits limits;
    private final FrameMetrics metrics;
    private final NettyDataBufferFactory buffers;
    private final Outbox outbox;
    private final Assembly assembly;
    private final IntObjectHashMap<ServedCall> serving = new IntObjectHashMap<>();
    private final long tickMillis;
    private @Nullable Ticking ticking;
    private long silenceMillisMax;
    private long silentMillis;
    private boolean greeted;
    private boolean refused;
    private boolean heard;
    private @Nullable Promise<Void> drained; // Of whom waits until nothing is served; null while calls are taken.

    ServingConnection(Channel channel, PeerDoor door) {
        this.channel = channel;
        this.door = door;
        this.limits = door.limits();
        this.metrics = door.metrics();
        this.buffers = new NettyDataBufferFactory(channel.alloc());
        this.outbox = new Outbox(channel, limits.bytesMax(), metrics);
        this.assembly = new Assembly(limits);
        this.tickMillis = limits.tick().toMillis();
        this.silenceMillisMax = limits.greetingMax().toMillis(); // Until the caller promises something.
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (!door.opened(this)) {
            close();
            return;
        }
        ticking = new Ticking(channel, this::tick, limits.tick());
    }

    /**
     * Spares the work that nobody waits for, and closes a connection on which no frame comes. Its silence is counted in ticks: while this loop comes by late,
     * what has been sent meanwhile may not have been read yet.
     */
    private void tick() {
        boolean takesReplies =
                !channel.isWritable() && !outbox.standsStill(); // Until it has them, it is not listened to.
        silentMillis = heard || takesReplies ? 0 : silentMillis + tickMillis;
        heard = false;
        if (silentMillis > silenceMillisMax) {
            if (greeted) { // Else it need not be a member.
                metrics.silent();
            }
            LOG.debug("{} is closed: silent for {} ms", channel, silentMillis);
            var _ = channel.close();
            return;
        }
        long now = System.nanoTime();
        if (!serving.isEmpty()) {
            List<ServedCall> late =
                    serving.values().stream().filter(call -> call.isLate(now)).toList();
            late.forEach(this::spare);
        }
        assembly.dropLate(now);
    }

    /** Of who has not greeted no more memory is filled than a greeting needs. */
    @Override
    public int restMax() {
        return greeted ? Frame.REST_MAX : Frame.REST_MIN + Greeting.BYTES_MAX;
    }

    @Override
    public void receive(Frame frame) {
        if (greeted == (frame.type == FrameType.HELLO)) {
            throw new MalformedFrameException(frame.type + (greeted ? " came again" : " came before HELLO"));
        }
        heard = true;
        switch (frame.type) {
            case HELLO -> greet(frame);
            case CALL -> call(frame);
            case CANCEL -> cancel(frame.id);
            case PING -> outbox.offer(Message.of(FrameType.PONG, 0, Message.NOTHING));
            case WELCOME, GOODBYE, REPLY, PONG -> throw new MalformedFrameException(frame.type + " came from a caller");
        }
    }

    private void greet(Frame hello) {
        if (refused) {
            return; // Nothing that follows is looked at: the connection is about to be closed.
        }
        PeerDoor.Refusal refusal = door.refusalOf(hello.body);
        if (refusal == null) {
            greeted = true;
            silenceMillisMax = MISSED_MAX * Math.clamp(hello.head, tickMillis, FrameLimits.BEAT_MAX.toMillis());
            door.greeted(channel);
            outbox.offer(Message.of(FrameType.WELCOME, Greeting.VERSION, Greeting.welcome(door.self())));
        } else {
            refused = true;
            door.refused(channel.remoteAddress(), refusal.words());
            byte[] words = refusal.words().getBytes(StandardCharsets.UTF_8);
            outbox.offer(Message.of(FrameType.GOODBYE, refusal.head(), words));
            channel.eventLoop()
                    .execute(
                            () -> { // Behind the flush that the offer has scheduled.
                                var _ = channel.close();
                            });
        }
    }

    private void call(Frame frame) {
        switch (assembly.add(frame, waitMillis(frame))) {
            case WHOLE -> serve(frame, assembly.take(frame));
            case PARTIAL, IGNORED -> LOG.trace("A call goes on");
            case TOO_LONG -> refuse(frame.id, HttpStatus.CONTENT_TOO_LARGE);
            case NO_ROOM -> refuse(frame.id, HttpStatus.SERVICE_UNAVAILABLE);
        }
    }

    private static int waitMillis(Frame call) {
        return Math.clamp(call.head, 0, WAIT_MILLIS_MAX);
    }

    private void serve(Frame frame, ByteBuf body) {
        int bytes = body.readableBytes();
        if (drained != null
                || serving.size() >= limits.callsMax()
                || !limits.allowance().take(bytes)) {
            refuse(frame.id, HttpStatus.SERVICE_UNAVAILABLE);
        } else {
            ServedCall call = new ServedCall(this, frame.id, bytes, waitMillis(frame));
            ServedCall earlier = serving.put(frame.id, call);
            if (earlier != null) {
                limits.allowance().giveBack(earlier.bytes());
                earlier.dispose();
                throw new MalformedFrameException("call " + frame.id + " is made twice");
            }
            door.service().serve(frame.operation, buffers.wrap(body)).subscribe(call);
        }
    }

    private void refuse(int id, HttpStatus status) {
        outbox.offer(new Message(FrameType.REPLY, 0, id, status.value(), Message.NOTHING));
    }

    /** Sends the reply to a call. Any thread. */
    void reply(ServedCall call, Reply reply) {
        int bytes = counted(reply.body().length);
        if (!limits.allowance().take(bytes)) {
            outbox.offer(new SentReply(call, NO_ROOM));
        } else if (!outbox.offer(new SentReply(call, reply))) {
            limits.allowance().giveBack(bytes);
            outbox.offer(new SentReply(call, NO_ROOM));
        }
    }

    /** What a reply takes of the room: a short one nothing, and it is never refused, as it may tell of what has been done. */
    private static int counted(int bytes) {
        return bytes < COUNTED_MIN ? 0 : bytes;
    }

    private void cancel(int id) {
        assembly.drop(id);
        ServedCall call = serving.get(id);
        if (call != null) { // Else it is answered: a cancel costs no more than this.
            spare(call);
        }
    }

    private void spare(ServedCall call) {
        metrics.workSpared();
        remove(call);
        call.dispose();
    }

    private void remove(ServedCall call) {
        serving.remove(call.id());
        limits.allowance().giveBack(call.bytes());
        tellDrained();
    }

    /**
     * Takes no more calls, and lets those that it serves end. Any thread.
     *
     * @return done when there are none left, or the connection has ended
     */
    Future<Void> drain() {
        Promise<Void> done = channel.eventLoop().newPromise();
        channel.eventLoop().execute(() -> {
            drained = done;
            tellDrained();
        });
        return done;
    }

    /** Any thread. */
    void close() {
        var _ = channel.close();
    }

    private void tellDrained() {
        if (drained != null && serving.isEmpty()) {
            drained.trySuccess(null);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        channel.config().setAutoRead(channel.isWritable()); // A caller that takes no replies is asked for no calls.
        if (channel.isWritable()) {
            outbox.resume();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(cause);
        metrics.ended(channel, root);
        LOG.debug("{} is closed: {}", channel, root.toString());
        var _ = context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (ticking != null) {
            ticking.stop();
        }
        door.closed(this);
        List.copyOf(serving.values()).forEach(this::spare);
        assembly.clear();
        outbox.discard();
    }

    private final class SentReply extends Message {
        private final ServedCall call;

        SentReply(ServedCall call, Reply reply) {
            super(FrameType.REPLY, 0, call.id(), reply.status().value(), reply.body());
            this.call = call;
        }

        @Override
        boolean mayBeRefused() {
            return counted(bytes()) > 0;
        }

        @Override
        boolean proceeds() {
            return serving.get(id()) == call;
        }

        @Override
        void done() {
            limits.allowance().giveBack(counted(bytes()));
            if (serving.get(id()) == call) {
                remove(call);
            }
        }
    }
}
