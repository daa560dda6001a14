package dev.kvorum.load.scenario;

/** A scenario that can't be run; the message names the file and the field, and says what it must be. */
public final class InvalidScenario extends RuntimeException {
    public InvalidScenario(String message) {
        super(message);
    }
}
