package dev.kvorum.node.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of a connection say of themselves before the first call: HELLO of the caller, WELCOME of the server.
 *
 * <pre>
 * HELLO    magic (4 bytes), version (1), cluster of the caller, member that it means, member that it is, incarnation (16), start (8)
 * WELCOME  member that the server is, incarnation (16), start (8)
 * </pre>
 *
 * <p>Texts are UTF-8 behind their length (2 bytes), and may be empty. An address can lead to another process than the caller means: names change, addresses are used
 * again, and files have mistakes. So a connection is good for calls only if the member that answers is the one that was meant: one process never counts as two.
 */
final class Greeting {
    /** The newest version of the protocol that is spoken here, and the oldest. */
    static final byte VERSION = 3;

    /** What the head of a GOODBYE says: another member was meant. */
    static final int MISTAKEN = 1;

    /** A HELLO is no longer: names of clusters have at most 253 characters. */
    static final int BYTES_MAX = 1024;

    private static final ByteBuf MAGIC =
            Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[] {'K', 'V', 'R', 'M'}));
    private static final int MAGIC_BYTES = 4;
    private static final int ID_MAX = 63; // A DNS label.

    private final PeerIdentity self;
    private final String meant;

    /** @param meant id of the member that is called; empty where any node at the address is */
    Greeting(PeerIdentity self, String meant) {
        this.self = self;
        this.meant = meant;
    }

    /**
     * A HELLO as it arrives.
     *
     * @param version the newest that the caller speaks; the rest is empty where that is older than {@value #VERSION}
     */
    record Hello(int version, PeerIdentity caller, String meant) {}

    /** The body of a HELLO. */
    byte[] hello() {
        ByteBuf out = Unpooled.buffer().writeBytes(MAGIC.duplicate()).writeByte(VERSION);
        putText(out, self.cluster() == null ? "" : self.cluster());
        putText(out, meant);
        return ByteBufUtil.getBytes(putMember(out, self));
    }

    /** The body of a WELCOME. */
    static byte[] welcome(PeerIdentity self) {
        return ByteBufUtil.getBytes(putMember(Unpooled.buffer(), self));
    }

    private static ByteBuf putMember(ByteBuf out, PeerIdentity self) {
        putText(out, self.member());
        return out.writeLong(self.incarnation().getMostSignificantBits())
                .writeLong(self.incarnation().getLeastSignificantBits())
                .writeLong(self.start());
    }

    private static void putText(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length).writeBytes(bytes);
    }

    /** @throws MalformedFrameException if it is none */
    static Hello readHello(ByteBuf body) {
        if (body.readableBytes() <= MAGIC_BYTES || !body.readSlice(MAGIC_BYTES).equals(MAGIC)) {
            throw new MalformedFrameException("the greeting is not one");
        }
        int version = body.readUnsignedByte();
        if (version < VERSION) {
            return new Hello(version, PeerIdentity.ofNoMember(null), "");
        }
        String cluster = text(body, BYTES_MAX);
        String meant = text(body, ID_MAX);
        return new Hello(
                version, member(body, cluster.isEmpty() ? null : cluster), meant); // A newer version may say more.
    }

    /** @throws MalformedFrameException if it is none */
    PeerIdentity readWelcome(ByteBuf body) {
        return member(body, self.cluster());
    }

    private static PeerIdentity member(ByteBuf body, @Nullable String cluster) {
        String member = text(body, ID_MAX);
        require(body, 3 * Long.BYTES);
        return new PeerIdentity(cluster, member, new UUID(body.readLong(), body.readLong()), body.readLong());
    }

    private static String text(ByteBuf body, int bytesMax) {
        require(body, Short.BYTES);
        int length = body.readUnsignedShort();
        if (length > bytesMax) {
            throw new MalformedFrameException("the greeting has a name of " + length + " bytes");
        }
        require(body, length);
        return body.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }

    private static void require(ByteBuf body, int bytes) {
        if (body.readableBytes() < bytes) {
            throw new MalformedFrameException("the greeting ends too early");
        }
    }

    /** Why the node that answers is not the one that was meant; null if it is. */
    @Nullable
    String mistake(PeerIdentity answering) {
        return answering.mistake(meant);
    }
}
