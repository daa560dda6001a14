package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells frames from HTTP on one port, by the first bytes of a connection: a frame begins with a 0, with which no request of
 * HTTP begins. So calls can be made by hand, with any HTTP client, whatever the members use among themselves.
 */
@Sharable
public final class FrameSniffer extends ChannelInboundHandlerAdapter {
    private static final byte[] HTTP2 = "PRI * HTTP/2.0".getBytes(StandardCharsets.US_ASCII);

    private final PeerDoor door;
    private final Consumer<Channel> http1;

    /** @param http1 is told of connections that speak HTTP/1.1, before they are read */
    public FrameSniffer(PeerDoor door, Consumer<Channel> http1) {
        this.door = door;
        this.http1 = http1;
    }

    /** Stands first on a connection that is being accepted. */
    public void install(Channel channel) {
        channel.pipeline().addFirst(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        ChannelPipeline pipeline = context.pipeline();
        if (bytes.isReadable() && bytes.getByte(bytes.readerIndex()) == 0) {
            becomeFrames(context.channel(), pipeline);
        } else if (!isHttp2(bytes)) {
            http1.accept(context.channel());
        }
        context.fireChannelRead(message);
        pipeline.remove(this);
    }

    /** A single P may begin a POST as well. */
    private static boolean isHttp2(ByteBuf bytes) {
        int length = Math.min(bytes.readableBytes(), HTTP2.length);
        return length > 1 && ByteBufUtil.equals(bytes, bytes.readerIndex(), Unpooled.wrappedBuffer(HTTP2), 0, length);
    }

    private void becomeFrames(Channel channel, ChannelPipeline pipeline) {
        List<String> http = pipeline.names().stream()
                .filter(name -> pipeline.get(name) != null && pipeline.get(name) != this)
                .toList();
        http.forEach(pipeline::remove);
        ServingConnection connection = new ServingConnection(channel, door);
        pipeline.addLast("kvorum.frames", new FrameDecoder(connection));
        pipeline.addLast("kvorum.calls", connection);
        channel.config().setAutoRead(true);
    }
}
