package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Messages that leave one connection. Whatever waits when the event loop comes by goes into one write and one flush. A long
 * body goes a frame at a time and takes its turn with the others, so that of what waits with a message no more than a frame of each
 * goes before it. The write that has been made goes before it as well, and what the system had yet to take when it was made.
 *
 * <p>Messages may be offered by any thread; the rest belongs to the event loop. The number of messages is bounded by those who
 * offer them (calls in flight), the bytes here.
 */
final class Outbox {
    private static final int WRITE_BYTES = 256 << 10; // A write takes frames until it has as many.
    private static final int FIRST_BYTES = 1 << 10;
    private static final int TURN_BYTES = 1 << 20;

    private final Channel channel;
    private final long bytesMax;
    private final FrameMetrics metrics;
    private final Queue<Message> arrived = new ConcurrentLinkedQueue<>();
    private final Deque<Message> turns = new ArrayDeque<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Runnable flush = this::flush;
    private long leftBefore;

    /** @param bytesMax bytes of bodies that may wait; one that is alone may be as long as it likes */
    Outbox(Channel channel, long bytesMax, FrameMetrics metrics) {
        this.channel = channel;
        this.bytesMax = bytesMax;
        this.metrics = metrics;
    }

    /** Takes a message; false if too many bytes wait, and then it is not sent. */
    boolean offer(Message message) {
        int length = message.bytes();
        long waiting = bytes.addAndGet(length);
        if (waiting > bytesMax && waiting > length && message.mayBeRefused()) {
            bytes.addAndGet(-length);
            return false;
        }
        arrived.add(message);
        schedule();
        return true;
    }

    /** Takes a message without a body, which is never refused, and may wait until something else is sent. */
    void offerUnhurried(Message message) {
        arrived.add(message);
    }

    /** Sends what waits: for when the peer takes bytes again, and for what was not hurried. On the event loop. */
    void resume() {
        if (!turns.isEmpty() || !arrived.isEmpty()) {
            schedule();
        }
    }

    /** Bytes of bodies that wait. Any thread. */
    long waitingBytes() {
        return bytes.get();
    }

    /** Whether the peer has taken no byte since this was asked before, though some are there to be taken. On the event loop. */
    boolean standsStill() {
        ChannelOutboundBuffer taken = channel.unsafe().outboundBuffer();
        long left =
                channel.isWritable() || taken == null ? 0 : taken.totalPendingWriteBytes() - taken.currentProgress();
        boolean still = left > 0 && left == leftBefore;
        leftBefore = left;
        return still;
    }

    private void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            channel.eventLoop().execute(flush);
        }
    }

    private void flush() {
        scheduled.set(false); // Before looking: what arrives from now on schedules the next flush.
        if (!channel.isActive()) {
            discard();
            return;
        }
        try {
            for (int written = 0; channel.isWritable() && takeArrived(); ) {
                if (written >= TURN_BYTES) {
                    schedule(); // The loop has other connections.
                    return;
                }
                written += writeSome();
            }
        } catch (RuntimeException
                | Error e) { // Such as that there is no memory for a write: frames are lost, and with them the
            // connection.
            channel.pipeline().fireExceptionCaught(e);
        }
    }

    private int writeSome() {
        ByteBuf buffer = channel.alloc().directBuffer(FIRST_BYTES);
        int frames = 0;
        try {
            for (Message first = turns.peek();
                    first != null && buffer.readableBytes() < WRITE_BYTES;
                    first = turns.peek()) {
                frames += writeTurn(buffer, first);
            }
        } catch (RuntimeException | Error e) {
            buffer.release();
            throw e;
        }
        if (frames == 0) {
            buffer.release();
            return 0;
        }
        int length = buffer.readableBytes();
        metrics.flushed(frames);
        var _ = channel.writeAndFlush(buffer, channel.voidPromise());
        return length;
    }

    private boolean takeArrived() {
        for (Message message = arrived.peek(); message != null; message = arrived.peek()) {
            turns.add(message);
            arrived.remove();
        }
        return !turns.isEmpty();
    }

    /**
     * The turn of the first, which is then the last or done; where writing it has failed it is still there, to be given up with the others.
     *
     * @return how many frames were written: one, or none where no more of the message need be sent
     */
    private int writeTurn(ByteBuf buffer, Message first) {
        boolean proceeds = first.proceeds();
        boolean goesOn = proceeds && first.writeFrame(buffer);
        turns.remove();
        if (goesOn) {
            turns.add(first);
        } else {
            done(first);
        }
        return proceeds ? 1 : 0;
    }

    private void done(Message message) {
        bytes.addAndGet(-message.bytes());
        message.done();
    }

    /** Gives up what waits: the connection has ended. On the event loop. */
    void discard() {
        while (takeArrived()) {
            done(turns.remove());
        }
    }
}
