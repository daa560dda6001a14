package dev.kvorum.node.storage.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.zip.CRC32C;

/** A note with a checksum in its last line: a flipped digit must not pass for another number. */
public final class CheckedNote {
    private static final String CHECKSUM = "crc32c ";

    private CheckedNote() {}

    /** @param text whole lines */
    public static String of(String text) {
        return text + CHECKSUM + checksum(text) + "\n";
    }

    /** @throws IllegalArgumentException if it is not as it was written */
    public static String read(String note) {
        int last = note.lastIndexOf(CHECKSUM);
        if (last < 0 || !note.equals(of(note.substring(0, last)))) {
            throw new IllegalArgumentException("its checksum is wrong");
        }
        return note.substring(0, last);
    }

    /** CRC-32C of a text, in hexadecimal digits. */
    public static String checksum(String text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(UTF_8));
        return "%08x".formatted(checksum.getValue());
    }
}
