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

    @Test
    void firstAndLastOfThoseThatChangeTheOrderAreEscapedAndTheirNeighboursAreNot() {
        assertThat(ControlCharacters.escaped("\u2029\u202a\u202e\u2066\u2069", ""))
                .isEqualTo("\\u2029\\u202a\\u202e\\u2066\\u2069");

        String neighbours = "\u2027\u202f\u2065\u206a";
        assertThat(ControlCharacters.escaped(neighbours, "")).isSameAs(neighbours);
    }
}
