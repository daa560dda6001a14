package dev.kvorum.topology.text;

/** Characters that end a line, that terminals obey, or that change the order in which text is shown. */
public final class ControlCharacters {
    private ControlCharacters() {}

    /**
     * Writes them as Java escapes, so that text from outside cannot forge a line of a log.
     *
     * @param kept control characters that stay as they are
     */
    public static String escaped(String text, String kept) {
        int at = 0;
        while (at < text.length() && !isEscaped(text.charAt(at), kept)) {
            at++;
        }
        if (at == text.length()) {
            return text; // Nearly always.
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isEscaped(c, kept)) {
                escaped.append(escape(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean isEscaped(char c, String kept) {
        boolean control = Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
        return control && kept.indexOf(c) < 0;
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
