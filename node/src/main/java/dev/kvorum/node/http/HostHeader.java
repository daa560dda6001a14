package dev.kvorum.node.http;

import java.util.BitSet;

/** Tells values of {@code Host} that RFC 9110 allows, section 7.2: a host as RFC 3986 has it, and a port. Empty is allowed. */
final class HostHeader {
    private static final BitSet NAME = new BitSet(128);
    private static final BitSet ADDRESS = new BitSet(128);

    static {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;="
                .chars()
                .forEach(NAME::set);
        ADDRESS.or(NAME);
        ADDRESS.set(':');
    }

    private HostHeader() {}

    static boolean isValid(CharSequence host) {
        int length = host.length();
        int at = length > 0 && host.charAt(0) == '[' ? endOfAddress(host) : endOfName(host);
        if (at == length) {
            return true;
        }
        return at >= 0 && host.charAt(at) == ':' && at > 0 && isPort(host, at + 1);
    }

    private static int endOfName(CharSequence host) {
        int at = 0;
        while (at < host.length()) {
            char c = host.charAt(at);
            if (c == '%' && isEncoding(host, at)) {
                at += 3;
            } else if (NAME.get(c)) {
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    /** The index behind the closing bracket, or -1. */
    private static int endOfAddress(CharSequence host) {
        int at = 1;
        while (at < host.length() && ADDRESS.get(host.charAt(at))) {
            at++;
        }
        return at > 1 && at < host.length() && host.charAt(at) == ']' ? at + 1 : -1;
    }

    private static boolean isEncoding(CharSequence host, int at) {
        return at + 2 < host.length() && isHex(host.charAt(at + 1)) && isHex(host.charAt(at + 2));
    }

    private static boolean isHex(char c) {
        return c < 128 && Character.digit(c, 16) >= 0;
    }

    private static boolean isPort(CharSequence host, int from) {
        int port = 0;
        for (int i = from; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            port = port * 10 + (c - '0');
            if (port > 65_535) {
                return false;
            }
        }
        return true;
    }
}
