package dev.kvorum.load.figure;

import org.jspecify.annotations.Nullable;

/**
 * What became of an expectation.
 *
 * @param left  the measured left side; null if it was not measured, which is never a pass
 * @param right the right side, likewise
 */
public record Verdict(
        String text, @Nullable Double left, @Nullable Double right, boolean passed, String unit) {}
