package dev.kvorum.load.chaos.copies;

import dev.kvorum.load.chaos.client.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A cell that a node holds, as {@code docs/peer-protocol.md} describes it.
 *
 * @param version 32 hexadecimal digits
 * @param copies on how many first owners it belongs
 * @param value its tag; null for a tombstone
 */
record HeldCell(
        String key, String version, int copies, @Nullable String value) {
    private static final int VERSION_BYTES = 16;
    private static final int TOMBSTONE = 2;

    /** The next item of a page: length of the key, key, length of the cell, cell. */
    static HeldCell read(ByteBuffer page) {
        String key = text(page, Short.toUnsignedInt(page.getShort()));
        int length = page.getInt();
        int end = page.position() + length;
        byte[] version = new byte[VERSION_BYTES];
        page.get(version);
        page.get(); // Its format: there is one.
        int kind = page.get();
        int copies = Short.toUnsignedInt(page.getShort());
        page.getLong(); // When it expires: nothing in chaos does.
        page.getInt(); // Its checksum, which the node has looked at.
        String value = text(page, end - page.position());
        return new HeldCell(
                key, HexFormat.of().formatHex(version), copies, kind == TOMBSTONE ? null : Payload.tagOf(value));
    }

    static String text(ByteBuffer page, int length) {
        byte[] bytes = new byte[length];
        page.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
