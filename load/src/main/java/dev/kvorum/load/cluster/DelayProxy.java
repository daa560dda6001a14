package dev.kvorum.load.cluster;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A TCP proxy that holds back what clients send by a time that can be set, and hands back at once what the server answers. A delay
 * line, not a brake: throughput stays. It can lead to another server, as a wrong address does. All connections live on one event loop.
 */
public final class DelayProxy implements AutoCloseable {
    // What stands for a slow network is not to take the processors from the nodes.
    private final EpollEventLoopGroup loop =
            new EpollEventLoopGroup(1, new DefaultThreadFactory("delay", true, Thread.MIN_PRIORITY));
    private final ChannelGroup clients = new DefaultChannelGroup(loop.next());
    private final Channel server;
    private volatile long delayNanos;
    private volatile int upstreamPort;

    private DelayProxy(int upstreamPort) {
        this.upstreamPort = upstreamPort;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        connect(client);
                    }
                });
        this.server = bootstrap
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    /** A proxy in front of a port of this machine, without a delay at first. */
    static DelayProxy before(int upstreamPort) {
        return new DelayProxy(upstreamPort);
    }

    private void connect(Channel client) {
        clients.add(client);
        InetSocketAddress upstream = new InetSocketAddress(InetAddress.getLoopbackAddress(), upstreamPort);
        // From the start, because the kernel tells of a client that closes at once even where nobody reads yet.
        DelayedRelay requests = new DelayedRelay(() -> delayNanos);
        client.pipeline().addLast(requests);
        Bootstrap bootstrap = new Bootstrap()
                .group(client.eventLoop())
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel server) {
                        DelayedRelay answers = new DelayedRelay(() -> 0);
                        server.pipeline().addLast(answers);
                        answers.open(client);
                    }
                });
        var _ = bootstrap.connect(upstream).addListener((ChannelFuture connected) -> {
            if (connected.isSuccess()) {
                requests.open(connected.channel());
                client.config().setAutoRead(true);
                connected.channel().config().setAutoRead(true);
            } else {
                var _ = client.close();
            }
        });
    }

    /** Leads to another port of this machine from now on. Connections that are open end. */
    public void leadTo(int otherPort) {
        // On the loop: no connection is accepted in between that knows the port of before, and stays.
        loop.next()
                .submit(() -> {
                    upstreamPort = otherPort;
                    var _ = clients.close();
                })
                .syncUninterruptibly();
    }

    int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** For what arrives from now on. */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    @Override
    public void close() {
        var _ = server.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
