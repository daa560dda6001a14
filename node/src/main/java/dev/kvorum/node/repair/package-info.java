/**
 * Replicas that are found behind are brought what they lack. Pure: the replicas come from outside.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.repair.ReadRepair}: mends those that a read has met, in the background.
 *   <li>{@link dev.kvorum.node.repair.ReadRepairMetrics}: what reads have mended, and what they have let be.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.repair;

import org.jspecify.annotations.NullMarked;
