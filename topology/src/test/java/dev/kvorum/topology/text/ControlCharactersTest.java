package dev.kvorum.topology.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlCharactersTest {
    @Test
    void controlCharactersAndLineSeparatorsAreEscaped() {
        assertThat(ControlCharacters.escaped("a\r\n\tb\u001b[2J\u0000\u007f\u009b\u2028\u202e\u2066", ""))
                .isEqualTo("a\\r\\n\\tb\\u001b[2J\\u0000\\u007f\\u009b\\u2028\\u202e\\u2066");
    }

    @Test
    void keptCharactersStay() {
        assertThat(ControlCharacters.escaped("a\r\n\tb", "\n\t")).isEqualTo("a\\r\n\tb");
    }

    @Test
    void textWithoutThemIsTheSame() {
        String text = "größer \\n 🙂";

        assertThat(ControlCharacters.escaped(text, "")).isSameAs(text);
    }
}
