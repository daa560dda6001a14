/**
 * What is kept of a scenario that fails.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.report.Evidence}: one folder with logs, states, metrics and the history.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.report;

import org.jspecify.annotations.NullMarked;
