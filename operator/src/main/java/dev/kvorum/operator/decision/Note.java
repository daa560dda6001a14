package dev.kvorum.operator.decision;

/**
 * What an event says.
 *
 * @param warning whether somebody should look
 * @param reason one word
 * @param message a sentence
 */
public record Note(boolean warning, String reason, String message) {
    static Note normal(String reason, String message) {
        return new Note(false, reason, message);
    }

    static Note warning(String reason, String message) {
        return new Note(true, reason, message);
    }
}
