package dev.kvorum.node.cell;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What an entity is stored under: 1 to {@value #BYTES_MAX} bytes of UTF-8. Immutable. */
public final class Key {
    public static final int BYTES_MAX = 1024;

    private final byte[] utf8;

    private Key(byte[] utf8) {
        this.utf8 = utf8;
    }

    /**
     * The key of that name.
     *
     * @throws InvalidKeyException if it is empty or too long
     */
    public static Key of(String name) {
        return ofUtf8(name.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The key of those bytes, which are not copied and must not be changed afterwards.
     *
     * @throws InvalidKeyException if they are none, too many, or not UTF-8
     */
    public static Key ofUtf8(byte[] utf8) {
        if (utf8.length == 0) {
            throw new InvalidKeyException("the key is empty");
        }
        if (utf8.length > BYTES_MAX) {
            throw new InvalidKeyException("the key is " + utf8.length + " bytes long, the longest is " + BYTES_MAX);
        }
        if (!isAscii(utf8)) {
            requireUtf8(utf8);
        }
        return new Key(utf8);
    }

    /** The bytes themselves, not a copy: they must not be changed. */
    public byte[] utf8() {
        return utf8;
    }

    private static boolean isAscii(byte[] bytes) {
        int high = 0;
        for (byte b : bytes) {
            high |= b;
        }
        return high >= 0;
    }

    private static void requireUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw new InvalidKeyException("the key is not UTF-8");
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Key key && Arrays.equals(utf8, key.utf8);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }

    @Override
    public String toString() {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
