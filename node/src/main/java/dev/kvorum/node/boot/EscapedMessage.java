package dev.kvorum.node.boot;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** The message of a log event on one line: control characters and line separators are written as Java escapes. */
public final class EscapedMessage extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
        return escaped(super.convert(event), false);
    }

    /** @param keepsLines whether line feeds and tabs stay */
    static String escaped(String text, boolean keepsLines) {
        int at = 0;
        while (at < text.length() && !isEscaped(text.charAt(at), keepsLines)) {
            at++;
        }
        if (at == text.length()) {
            return text; // Nearly always.
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isEscaped(c, keepsLines)) {
                escaped.append(escape(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean isEscaped(char c, boolean keepsLines) {
        if (keepsLines && (c == '\n' || c == '\t')) {
            return false;
        }
        // Directional formatting would let a text be shown in another order than it is.
        return Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }

    private static String escape(char c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format("\\u%04x", (int) c);
        };
    }
}
