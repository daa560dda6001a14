package dev.kvorum.node.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "cart-7", "ключ", "鍵", "🔑", " ", "\0", "a/b?c=d&e"})
    void anyTextIsAKeyAndComesBackUnchanged(String name) {
        Key key = Key.of(name);

        assertThat(key.utf8()).isEqualTo(name.getBytes(StandardCharsets.UTF_8));
        assertThat(key).hasToString(name);
    }

    @Test
    void emptyKeyIsRefused() {
        assertThatThrownBy(() -> Key.of(""))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessage("the key is empty");
    }

    @Test
    void longestKeyIsCountedInBytesAndOneMoreIsRefused() {
        String longest = "é".repeat(Key.BYTES_MAX / 2);

        assertThat(Key.of(longest).utf8()).hasSize(1024);
        assertThatThrownBy(() -> Key.of(longest + "e"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessage("the key is 1025 bytes long, the longest is 1024");
    }

    /** A continuation alone, one cut off, an overlong slash, a surrogate, a code point past the last. */
    @ParameterizedTest
    @ValueSource(strings = {"80", "61c3", "c0af", "eda080", "f4908080", "ff"})
    void bytesThatAreNotUtf8AreRefused(String hex) {
        assertThatThrownBy(() -> Key.ofUtf8(HexFormat.of().parseHex(hex)))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessage("the key is not UTF-8");
    }

    @Test
    void keysAreEqualByTheirBytes() {
        Key key = Key.of("cart-7");

        assertThat(key)
                .isEqualTo(Key.ofUtf8("cart-7".getBytes(StandardCharsets.UTF_8)))
                .hasSameHashCodeAs(Key.of("cart-7"));
        assertThat(key).isNotEqualTo(Key.of("cart-8"));
    }

    @Test
    void hashesTellKeysApart() {
        assertThat(Key.of("cart-7").hashCode()).isNotEqualTo(Key.of("cart-8").hashCode());
    }
}
