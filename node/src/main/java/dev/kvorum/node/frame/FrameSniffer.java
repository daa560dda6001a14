package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells frames from HTTP on one port, by the first bytes of a connection: a frame begins with a 0, with which no request of
 * HTTP begins, and HTTP/2 with a preface of its own. So calls can be made by hand, with any HTTP client, whatever the members use among themselves. Any event loop.
 */
public final class FrameSniffer {
    private static final byte[] HTTP2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final PeerDoor door;
    private final Consumer<Channel> http1;

    /** @param http1 is told of connections that speak HTTP/1.1, before they are read */
    public FrameSniffer(PeerDoor door, Consumer<Channel> http1) {
        this.door = door;
        this.http1 = http1;
    }

    /** Stands first on a connection that is being accepted; whatever stands behind it hears of no byte before it is known what is spoken. */
    public void install(Channel channel) {
        channel.pipeline().addFirst(new Sniffing());
    }

    /** Whether the bytes are all that there is of that beginning, or as much as has come. */
    private static boolean beginsAs(byte[] beginning, ByteBuf bytes) {
        int length = Math.min(bytes.readableBytes(), beginning.length);
        return ByteBufUtil.equals(bytes, bytes.readerIndex(), Unpooled.wrappedBuffer(beginning), 0, length);
    }

    private final class Sniffing extends ChannelInboundHandlerAdapter {
        private @Nullable ByteBuf held;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = held == null
                    ? (ByteBuf) message
                    : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), held, (ByteBuf) message);
            if (bytes.readableBytes() < HTTP2.length && beginsAs(HTTP2, bytes)) { // A POST may become of it as well.
                held = bytes;
                context.read();
                return;
            }
            held = null;
            become(context.channel(), bytes);
            context.fireChannelRead(bytes);
            context.pipeline().remove(this);
        }

        private void become(Channel channel, ByteBuf bytes) {
            if (bytes.getByte(bytes.readerIndex()) == 0) {
                becomeFrames(channel, channel.pipeline());
            } else if (!beginsAs(HTTP2, bytes)) {
                http1.accept(channel);
            }
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

        /** Also when the connection has ended. */
        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            if (held != null) {
                held.release();
                held = null;
            }
        }
    }
}
