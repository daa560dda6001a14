/**
 * What the operator asks of nodes.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.node.ClusterNodes}: the questions.
 *   <li>{@link dev.kvorum.operator.node.HttpNodes}: asks over the management port.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.node;

import org.jspecify.annotations.NullMarked;
