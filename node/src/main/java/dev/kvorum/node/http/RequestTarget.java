package dev.kvorum.node.http;

import java.util.BitSet;

/** Tells request targets that RFC 3986 allows from those that no parser of it would read. */
public final class RequestTarget {
    private static final BitSet PLAIN = new BitSet(128);

    static {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?@!$&'()*+,;="
                .chars()
                .forEach(PLAIN::set);
    }

    private RequestTarget() {}

    /** Whether it has only characters that may stand in a path or query, and whole percent-encodings. */
    public static boolean isWellFormed(String target) {
        int i = 0;
        while (i < target.length()) {
            char c = target.charAt(i);
            if (c == '%') {
                if (!isEncoding(target, i)) {
                    return false;
                }
                i += 3;
            } else if (PLAIN.get(c)) {
                i++;
            } else {
                return false;
            }
        }
        return true;
    }

    private static boolean isEncoding(String target, int at) {
        return at + 2 < target.length() && isHex(target.charAt(at + 1)) && isHex(target.charAt(at + 2));
    }

    private static boolean isHex(char c) {
        return c < 128 && Character.digit(c, 16) >= 0;
    }
}
