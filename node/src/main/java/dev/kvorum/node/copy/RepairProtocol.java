package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.MessageReader;
import dev.kvorum.node.replica.MessageWriter;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.node.verification.VerifiedCall;
import java.util.BitSet;
import java.util.List;

/** The calls between copies as they go over the wire, for both ends; {@code docs/peer-protocol.md} describes them. */
public final class RepairProtocol {
    public static final byte[] NOTHING = {};

    private static final int KEY_LENGTH_BYTES = 2;
    private static final int LISTED_BYTES = KEY_LENGTH_BYTES + 16 + 2 + 8 + 8;

    private static final int WHOLE = 1;

    private RepairProtocol() {}

    public static byte[] encode(TreeCall call) {
        return put(put(new MessageWriter(), call.scope()), call.shape())
                .putShort(call.rank())
                .putKey(call.after())
                .toBytes();
    }

    public static TreeCall decodeTreeCall(byte[] body) {
        return MessageReader.read(body, in -> new TreeCall(scope(in), shape(in), in.unsignedShort(), in.keyOrNone()));
    }

    public static byte[] encode(TreePage page) {
        MessageWriter out = new MessageWriter()
                .putKey(page.last())
                .putLong(page.cells())
                .putLong(page.bytes())
                .putLong(page.boot())
                .putLong(page.droppableBefore());
        return page.tree().writeTo(out).toBytes();
    }

    public static TreePage decodeTreePage(byte[] body, int leaves) {
        return MessageReader.read(body, in -> {
            Key last = in.keyOrNone();
            long cells = in.longNumber();
            long bytes = in.longNumber();
            long boot = in.longNumber();
            long droppableBefore = in.longNumber();
            return new TreePage(MerkleTree.readFrom(in, leaves), cells, bytes, boot, droppableBefore, last);
        });
    }

    public static byte[] encode(ListCall call) {
        byte[] leaves = new byte[leafBytes(call.shape())];
        byte[] set = call.leaves().toByteArray(); // Without the zeros behind its last bit.
        System.arraycopy(set, 0, leaves, 0, set.length);
        return put(new MessageWriter().putShort(call.partition()), call.shape())
                .put(leaves)
                .putKey(call.after())
                .toBytes();
    }

    public static ListCall decodeListCall(byte[] body) {
        return MessageReader.read(body, in -> {
            int partition = in.unsignedShort();
            Shape shape = shape(in);
            return new ListCall(partition, shape, BitSet.valueOf(in.bytes(leafBytes(shape))), in.keyOrNone());
        });
    }

    private static int leafBytes(Shape shape) {
        return (shape.leaves() + Byte.SIZE - 1) / Byte.SIZE;
    }

    public static byte[] encode(ListPage page) {
        MessageWriter out = new MessageWriter().putKey(page.last());
        page.listed()
                .forEach(listed -> out.putKey(listed.key())
                        .putVersion(listed.version())
                        .putShort(listed.copies())
                        .putLong(listed.endMillis())
                        .putLong(listed.check()));
        return out.toBytes();
    }

    static int bytesOf(Listed listed) {
        return LISTED_BYTES + listed.key().utf8().length;
    }

    static ListPage decodeListPage(byte[] body) {
        return MessageReader.read(body, in -> {
            Key last = in.keyOrNone();
            return new ListPage(in.rest(RepairProtocol::listed), body.length, last);
        });
    }

    private static Listed listed(MessageReader in) {
        Key key = in.key();
        Version version = in.version();
        return new Listed(key, version, in.unsignedShort(), in.longNumber(), in.longNumber());
    }

    public static byte[] encode(CellsCall call) {
        MessageWriter out = new MessageWriter().putShort(call.partition());
        call.keys().forEach(out::putKey);
        return out.toBytes();
    }

    public static CellsCall decodeCellsCall(byte[] body) {
        return MessageReader.read(body, in -> new CellsCall(in.unsignedShort(), in.rest(MessageReader::key)));
    }

    public static byte[] encode(StreamCall call) {
        return put(new MessageWriter(), call.scope()).putKey(call.after()).toBytes();
    }

    public static StreamCall decodeStreamCall(byte[] body) {
        return MessageReader.read(body, in -> new StreamCall(scope(in), in.keyOrNone()));
    }

    public static byte[] encode(CellPage page) {
        return put(new MessageWriter().putKey(page.last()), page.cells()).toBytes();
    }

    static CellPage decodeCellPage(byte[] body) {
        return MessageReader.read(body, in -> {
            Key last = in.keyOrNone();
            return new CellPage(in.rest(RepairProtocol::keyedCell), body.length, last);
        });
    }

    public static byte[] encode(StoreCall call) {
        return put(new MessageWriter().putShort(call.partition()), call.cells()).toBytes();
    }

    public static StoreCall decodeStoreCall(byte[] body) {
        return MessageReader.read(body, in -> new StoreCall(in.unsignedShort(), in.rest(RepairProtocol::calledCell)));
    }

    public static byte[] encode(VerifiedCall call) {
        return new MessageWriter()
                .putShort(call.partition())
                .putLong(call.boot())
                .putShort(call.whole() ? WHOLE : 0)
                .putLong(call.at())
                .putLong(call.droppableBefore())
                .toBytes();
    }

    public static VerifiedCall decodeVerifiedCall(byte[] body) {
        return MessageReader.read(body, in -> {
            int partition = in.unsignedShort();
            long boot = in.longNumber();
            int flags = in.unsignedShort();
            long at = in.longNumber();
            if (at <= 0 && at != Verifications.NEVER) {
                throw new MalformedCallException("verified up to " + at + ", which is no time since 1970");
            }
            return new VerifiedCall(partition, boot, (flags & WHOLE) != 0, at, in.longNumber());
        });
    }

    public static byte[] encode(MemberLife life) {
        return new MessageWriter().putLong(life.since()).putLong(life.last()).toBytes();
    }

    /** What a member answers to {@code /repair/life}. */
    public static MemberLife decodeLife(byte[] body) {
        return MessageReader.read(body, in -> new MemberLife(in.longNumber(), in.longNumber()));
    }

    public static byte[] encodePartition(int partition) {
        return new MessageWriter().putShort(partition).toBytes();
    }

    public static int decodePartition(byte[] body) {
        return MessageReader.read(body, MessageReader::unsignedShort);
    }

    private static MessageWriter put(MessageWriter out, List<KeyedCell> cells) {
        for (KeyedCell item : cells) {
            out.putKey(item.key()).putCell(item.cell());
        }
        return out;
    }

    private static KeyedCell calledCell(MessageReader in) {
        Key key = in.key();
        return new KeyedCell(key, in.calledCell().requireIntact(key));
    }

    private static KeyedCell keyedCell(MessageReader in) {
        Key key = in.key();
        return new KeyedCell(key, in.cell().requireIntact(key));
    }

    private static MessageWriter put(MessageWriter out, Scope scope) {
        return out.putShort(scope.partition())
                .putShort(scope.copiesAbove())
                .putLong(scope.before())
                .putLong(scope.endedBefore());
    }

    private static Scope scope(MessageReader in) {
        return new Scope(in.unsignedShort(), in.unsignedShort(), in.longNumber(), in.longNumber());
    }

    private static MessageWriter put(MessageWriter out, Shape shape) {
        return out.putShort(shape.leaves()).putLong(shape.seed());
    }

    private static Shape shape(MessageReader in) {
        int leaves = in.unsignedShort();
        if (!MerkleTree.isLeaves(leaves)) {
            throw new MalformedCallException(leaves + " leaves are no power of two up to " + MerkleTree.LEAVES_MAX);
        }
        return new Shape(leaves, in.longNumber());
    }
}
