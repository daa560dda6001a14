package dev.kvorum.operator.decision;

/**
 * Why nothing at all can be done.
 *
 * @param invalid whether the spec is to blame
 * @param reason one word for the condition
 * @param message a sentence that says what would be right
 */
public record Obstacle(boolean invalid, String reason, String message) {}
