package dev.kvorum.load.crowd;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** How a stranger behaves on its connection. */
public enum Habit {
    /** Sends the head of a request byte by byte, one every two seconds. */
    SLOW_HEADS("READ HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a", false),
    /** The same with the body. */
    SLOW_BODIES("WRITE HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n", "a", false),
    /** Sends nothing. */
    IDLE("", "", false),
    /** Sends a part of a request and falls silent, as a machine does that has gone. */
    HALF_OPEN("READ", "", false),
    /** Sends a request, and resets the connection after some seconds. */
    RESETS("READ HTTP/1.1\r\nHost: x\r\n\r\n", "", true);

    private final String first;
    private final String next;
    private final boolean resets;

    Habit(String first, String next, boolean resets) {
        this.first = first;
        this.next = next;
        this.resets = resets;
    }

    /** As scenarios name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Sent once. */
    byte[] first(CrowdedPort port) {
        return first.replace("READ", port.read()).replace("WRITE", port.write()).getBytes(StandardCharsets.US_ASCII);
    }

    /** Sent again and again after that; may be empty. */
    byte[] next() {
        return next.getBytes(StandardCharsets.US_ASCII);
    }

    boolean resets() {
        return resets;
    }
}
