package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * What all serving connections of a node have in common: whom they let in, and what they serve.
 *
 * @param paths the operations there are: the first has number 1
 * @param cluster callers that name another are refused; null if the topology names none
 */
public record PeerDoor(
        List<String> paths, FrameService service, @Nullable String cluster, FrameLimits limits, FrameMetrics metrics) {
    private static final ByteBuf MAGIC = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(FrameConnector.MAGIC));

    /** Why that greeting does not open the door, or null if it does. */
    @Nullable
    String refusalOf(ByteBuf hello) {
        int magicLength = FrameConnector.MAGIC.length;
        if (hello.readableBytes() <= magicLength
                || !hello.slice(hello.readerIndex(), magicLength).equals(MAGIC)) {
            throw new MalformedFrameException("the greeting is not one");
        }
        hello.skipBytes(magicLength);
        int version = hello.readUnsignedByte();
        if (version < FrameConnector.VERSION) { // A newer caller speaks the older version as well.
            return "version " + version + " of the protocol is not spoken here, but " + FrameConnector.VERSION;
        }
        String named = hello.toString(StandardCharsets.UTF_8);
        return cluster == null || named.isEmpty() || cluster.equals(named)
                ? null
                : "this is a member of cluster \"" + cluster + "\", not of \"" + StringUtils.truncate(named) + "\"";
    }

    /** The path of that operation, or null if there is none. */
    @Nullable
    String path(int operation) {
        return operation < 1 || operation > paths.size() ? null : paths.get(operation - 1);
    }
}
