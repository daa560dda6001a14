/**
 * The operator as a process.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.KvorumOperator}: starts it.
 *   <li>{@link dev.kvorum.operator.OperatorSettings}: what it is told.
 *   <li>{@link dev.kvorum.operator.HealthServer}: says how it is.
 *   <li>{@link dev.kvorum.operator.EscapedOutput}: the log, with control characters escaped.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator;

import org.jspecify.annotations.NullMarked;
