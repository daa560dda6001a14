package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * From the bytes of a connection to frames. It keeps at most one frame that is not whole yet, and hands each on at once: so its
 * body need not be copied first.
 */
final class FrameDecoder extends ByteToMessageDecoder {
    private final FrameReceiver receiver;

    FrameDecoder(FrameReceiver receiver) {
        this.receiver = receiver;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < Frame.LENGTH_BYTES) {
            return;
        }
        int rest = in.getInt(in.readerIndex());
        int restMax = receiver.restMax();
        if (rest < Frame.REST_MIN || rest > restMax) {
            throw broken(in, "a frame of " + rest + " bytes is not from " + Frame.REST_MIN + " to " + restMax);
        }
        if (in.readableBytes() < Frame.LENGTH_BYTES + rest) {
            return;
        }
        in.skipBytes(Frame.LENGTH_BYTES);
        try {
            receiver.receive(Frame.read(in, rest));
        } catch (MalformedFrameException e) {
            throw broken(in, String.valueOf(e.getMessage()));
        }
    }

    /** What follows a malformed frame is not looked at. */
    private static MalformedFrameException broken(ByteBuf in, String reason) {
        in.skipBytes(in.readableBytes());
        return new MalformedFrameException(reason);
    }
}
