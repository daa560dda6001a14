package dev.kvorum.load.crowd;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Strangers from one address, each with one connection to the same port and the same {@link Habit}. One whose connection the node closes comes back after
 * half a second to two and a half. All live on one event loop, which gives way to the nodes.
 */
public final class Crowd implements AutoCloseable {
    /** Not that of the clients. */
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.9", 0);

    private static final Duration GATHER_MAX = Duration.ofSeconds(30);
    private static final long NEXT_MILLIS = 2000;
    private static final long RESET_MILLIS = 5000;
    private static final long RETURN_MILLIS_MIN = 500;
    private static final long RETURN_MILLIS_MAX = 2500;
    private static final long POLL_MILLIS = 20;

    private final EpollEventLoopGroup loop =
            new EpollEventLoopGroup(1, new DefaultThreadFactory("crowd", true, Thread.MIN_PRIORITY));
    private final Bootstrap bootstrap;
    private final AtomicInteger came = new AtomicInteger();
    private volatile boolean closing;

    private Crowd(InetSocketAddress address, CrowdedPort port, Habit habit) {
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .localAddress(ADDRESS)
                .remoteAddress(address)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Stranger(port, habit));
                    }
                });
    }

    /**
     * Opens the connections, and returns when each stranger has had one: the node may have closed some meanwhile.
     *
     * @throws IOException if that takes more than half a minute
     */
    public static Crowd gather(InetSocketAddress address, CrowdedPort port, Habit habit, int strangers)
            throws IOException, InterruptedException {
        Crowd crowd = new Crowd(address, port, habit);
        for (int i = 0; i < strangers; i++) {
            crowd.comeIn(ThreadLocalRandom.current().nextLong(RETURN_MILLIS_MAX));
        }
        long deadline = System.nanoTime() + GATHER_MAX.toNanos();
        while (crowd.came.get() < strangers) {
            if (System.nanoTime() - deadline > 0) {
                int came = crowd.came.get();
                crowd.close();
                throw new IOException("Of " + strangers + " strangers, " + came + " could connect to " + address
                        + " within " + GATHER_MAX.toSeconds()
                        + " s: the node does not answer, or open files are short (ulimit -n).");
            }
            Thread.sleep(POLL_MILLIS);
        }
        return crowd;
    }

    private void come() {
        ChannelFuture connected = bootstrap.connect();
        var _ = connected.addListener(done -> {
            if (!done.isSuccess()) {
                comeBack();
            }
        });
    }

    private void comeIn(long millis) {
        var _ = loop.next().schedule(this::come, millis, TimeUnit.MILLISECONDS);
    }

    private void comeBack() {
        if (!closing) {
            comeIn(ThreadLocalRandom.current().nextLong(RETURN_MILLIS_MIN, RETURN_MILLIS_MAX));
        }
    }

    /** Ends all connections, and returns when they are closed. */
    @Override
    public void close() {
        closing = true;
        Future<?> ended = loop.shutdownGracefully(0, 5, TimeUnit.SECONDS);
        var _ = ended.awaitUninterruptibly();
    }

    private final class Stranger extends ChannelInboundHandlerAdapter {
        private final CrowdedPort port;
        private final Habit habit;

        Stranger(CrowdedPort port, Habit habit) {
            this.port = port;
            this.habit = habit;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            came.incrementAndGet();
            send(context, habit.first(port));
            if (habit.resets()) {
                long after = RESET_MILLIS + ThreadLocalRandom.current().nextLong(RESET_MILLIS); // Not all at once.
                var _ = context.executor().schedule(() -> reset(context), after, TimeUnit.MILLISECONDS);
            } else if (habit.next().length > 0) {
                long first = ThreadLocalRandom.current().nextLong(NEXT_MILLIS);
                Future<?> going = context.executor()
                        .scheduleAtFixedRate(
                                () -> send(context, habit.next()), first, NEXT_MILLIS, TimeUnit.MILLISECONDS);
                var _ = context.channel().closeFuture().addListener(end -> going.cancel(false));
            }
        }

        private static void send(ChannelHandlerContext context, byte[] bytes) {
            if (bytes.length > 0) {
                var _ = context.writeAndFlush(Unpooled.wrappedBuffer(bytes));
            }
        }

        private static void reset(ChannelHandlerContext context) {
            if (context.channel().isOpen()) {
                context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
                var _ = context.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object answer) {
            ReferenceCountUtil.release(answer);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            comeBack();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable reset) {
            var _ = context.close(); // By the node, which owes it no more.
        }
    }
}
