package dev.kvorum.load.chaos.client;

/**
 * What is stored under a key, and its tag, which stands for it in a history. A tag ends with how long its payload is beyond it, {@code w17+3000},
 * so that a payload that was cut or mixed with another is not taken for what its tag says.
 */
public final class Payload {
    private static final char FILLING = '-';
    private static final int SHOWN_MAX = 100;

    private Payload() {}

    /** @param number of the write: no other has the same */
    static String tag(String number, int filling) {
        return number + "+" + filling;
    }

    /** The payload of a tag, in ASCII. */
    static String of(String tag) {
        int filling = Integer.parseInt(tag.substring(tag.indexOf('+') + 1));
        return tag + String.valueOf(FILLING).repeat(filling);
    }

    /** The tag of a payload; of anything else its beginning, which is that of no write. */
    public static String tagOf(String payload) {
        int end = payload.indexOf(FILLING);
        String tag = end < 0 ? payload : payload.substring(0, end);
        boolean isWhole = tag.matches("[a-z0-9]+\\+[0-9]{1,7}") && of(tag).equals(payload);
        return isWhole ? tag : "damaged: " + payload.substring(0, Math.min(SHOWN_MAX, payload.length()));
    }
}
