/**
 * Real processes, real load, real faults: whether the cluster keeps its promises, judged by the history of what clients saw.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.chaos.ChaosRun}: one run, from its seed to its verdict.
 *   <li>{@link dev.kvorum.load.chaos.ChaosOptions}: how it is to be.
 *   <li>{@link dev.kvorum.load.chaos.ChaosCluster}: the nodes, and their disks.
 *   <li>{@link dev.kvorum.load.chaos.Settling}: waits until all replicas are identical.
 *   <li>{@link dev.kvorum.load.chaos.ChaosVerdict}: what came of it.
 *   <li>{@link dev.kvorum.load.chaos.ViolationPages}: pictures of broken promises.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.chaos;

import org.jspecify.annotations.NullMarked;
