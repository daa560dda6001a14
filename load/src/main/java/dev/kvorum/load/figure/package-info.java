/**
 * What runs are measured by, and what is expected of the measurements. Pure.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.figure.Metric}: the names and units.
 *   <li>{@link dev.kvorum.load.figure.Figures}: the values of one run, or the medians of several.
 *   <li>{@link dev.kvorum.load.figure.Percentiles}: the percentiles and the curve of a histogram.
 *   <li>{@link dev.kvorum.load.figure.Growth}: whether something grew while the load lasted.
 *   <li>{@link dev.kvorum.load.figure.Expectation}: a comparison that a scenario states.
 *   <li>{@link dev.kvorum.load.figure.Verdict}: what became of it.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.figure;

import org.jspecify.annotations.NullMarked;
