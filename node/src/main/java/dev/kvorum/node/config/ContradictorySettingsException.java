package dev.kvorum.node.config;

/** Settings that are right each for itself, but not together. The message names both. */
public final class ContradictorySettingsException extends RuntimeException {
    ContradictorySettingsException(String reason) {
        super(reason);
    }
}
