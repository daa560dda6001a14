package dev.kvorum.node.catchup;

import dev.kvorum.node.catchup.TailPage.PlacedCell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.copy.KeyedCell;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.MessageReader;
import dev.kvorum.node.replica.MessageWriter;
import java.nio.charset.StandardCharsets;

/** The bytes of a {@link TailCall} and of its answer; {@code docs/peer-protocol.md} says the same. */
final class TailProtocol {
    private TailProtocol() {}

    static byte[] encode(TailCall call) {
        return new MessageWriter()
                .putLong(call.start())
                .putLong(call.changes())
                .putLong(call.after())
                .putLong(call.upTo())
                .put(call.member().getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    /** @throws MalformedCallException if these are no such bytes */
    static TailCall decodeCall(byte[] body) {
        return MessageReader.read(body, in -> {
            long start = in.longNumber();
            long changes = in.longNumber();
            long after = in.longNumber();
            long upTo = in.longNumber();
            String member = new String(in.rest(), StandardCharsets.UTF_8);
            if (after < TailCall.FIRST || upTo < TailCall.TO_THE_END || changes < 0) {
                throw new MalformedCallException(
                        "the end of a log can't begin behind change " + after + ", nor the caller's with " + changes);
            }
            return new TailCall(member, start, changes, after, upTo);
        });
    }

    static byte[] encode(TailPage page) {
        MessageWriter out =
                new MessageWriter().putLong(page.life()).putLong(page.end()).putLong(page.upTo());
        for (PlacedCell placed : page.cells()) {
            out.putShort(placed.partition())
                    .putKey(placed.cell().key())
                    .putCell(placed.cell().cell());
        }
        return out.toBytes();
    }

    /** @throws MalformedCallException if these are no such bytes */
    static TailPage decodePage(byte[] body) {
        return MessageReader.read(
                body,
                in -> new TailPage(
                        in.longNumber(), in.longNumber(), in.longNumber(), in.rest(TailProtocol::placedCell)));
    }

    private static PlacedCell placedCell(MessageReader in) {
        int partition = in.unsignedShort();
        Key key = in.key();
        return new PlacedCell(partition, new KeyedCell(key, in.cell().requireIntact(key)));
    }
}
