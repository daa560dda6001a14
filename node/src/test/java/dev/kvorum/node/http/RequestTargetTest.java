package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {
    /** {@code pchar}, "/" and "?" of RFC 3986, 3.3 and 3.4. */
    private static final Pattern RFC_3986 =
            Pattern.compile("(?:[A-Za-z0-9\\-._~]|%[0-9A-Fa-f]{2}|[!$&'()*+,;=]|[:@]|[/?])*");

    @ParameterizedTest
    @ValueSource(strings = {"/v0/entity?id=cart-7", "/v0/entity?id=%D0%BA%d0%bb&ack=2&from=3", "/", "/a?b?c/d", "%00"})
    void targetThatTheRfcAllowsIsWellFormed(String target) {
        assertThat(RequestTarget.isWellFormed(target)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a b", "/a\tb", "/a#b", "/a\"b", "/<a>", "/a\\b", "/[a]", "/{a}", "/a|b", "/a^b", "/a`b", "/é", "/🔑"
            })
    void targetWithACharacterThatMustBeEncodedIsNot(String target) {
        assertThat(RequestTarget.isWellFormed(target)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/%4", "/%zz", "/%4g", "/%g4", "/a%%41", "/%+1", "/%٤٤", "/%ＡＢ"})
    void targetWithABrokenEncodingIsNot(String target) {
        assertThat(RequestTarget.isWellFormed(target)).isFalse();
    }

    @Test
    void everySingleCharacterIsJudgedAsInTheRfc() {
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            String target = String.valueOf(c);

            assertThat(RequestTarget.isWellFormed(target))
                    .as("U+%04X", (int) c)
                    .isEqualTo(RFC_3986.matcher(target).matches());
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 8);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomTargetIsJudgedAsInTheRfc(long seed) {
        Random random = new Random(seed);
        String characters = "%%%%019afAFgG/?=& ~";
        for (int i = 0; i < 5000; i++) {
            StringBuilder target = new StringBuilder();
            for (int length = random.nextInt(8); length > 0; length--) {
                target.append(characters.charAt(random.nextInt(characters.length())));
            }

            assertThat(RequestTarget.isWellFormed(target.toString()))
                    .as("%s", target)
                    .isEqualTo(RFC_3986.matcher(target).matches());
        }
    }
}
