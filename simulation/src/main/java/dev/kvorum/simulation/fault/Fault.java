package dev.kvorum.simulation.fault;

/**
 * Something that goes wrong for a time.
 *
 * @param words for people: what, and where
 * @param begin makes it so
 * @param end makes it good again
 */
public record Fault(String words, Runnable begin, Runnable end) {}
