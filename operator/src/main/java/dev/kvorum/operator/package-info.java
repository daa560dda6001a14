/**
 * The operator as a process.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.KvorumOperator}: starts it.
 *   <li>{@link dev.kvorum.operator.OperatorSettings}: what it is told.
 *   <li>{@link dev.kvorum.operator.HealthServer}: says how it is.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator;

import org.jspecify.annotations.NullMarked;
