package dev.kvorum.load.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3000, 150_000})
    void wholePayloadIsKnownByItsTag(int filling) {
        String tag = Payload.tag("w17", filling);

        assertThat(Payload.of(tag)).hasSize(tag.length() + filling);
        assertThat(Payload.tagOf(Payload.of(tag))).isEqualTo(tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "w17", "w17+2", "w17+2-", "w17+2---", "w17+2-w18", "+", "w17+99999999"})
    void anythingElseIsTheTagOfNoWrite(String payload) {
        assertThat(Payload.tagOf(payload)).isEqualTo("damaged: " + payload);
    }

    @Test
    void ofWhatIsLongOnlyTheBeginningIsKept() {
        assertThat(Payload.tagOf("w17+5" + "-".repeat(150_000))).hasSizeLessThan(200);
    }
}
