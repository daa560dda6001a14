/**
 * What is done to a cluster. A fault begins when it is made and ends when it is closed; then the nodes concerned are ready again.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.fault.Fault}: what they have in common.
 *   <li>{@link dev.kvorum.e2e.fault.Faults}: several at a time.
 *   <li>{@link dev.kvorum.e2e.fault.Freeze}: a node that stands still.
 *   <li>{@link dev.kvorum.e2e.fault.Kill}: a node that is gone, with or without its disk.
 *   <li>{@link dev.kvorum.e2e.fault.Cut}: packets that do not arrive, one way or both.
 *   <li>{@link dev.kvorum.e2e.fault.Delay}: a replica that is slow to reach.
 *   <li>{@link dev.kvorum.e2e.fault.SlowDisk}, {@link dev.kvorum.e2e.fault.FullDisk}: disks that are.
 *   <li>{@link dev.kvorum.e2e.fault.SkewedClock}: a node that thinks it is another time.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.fault;

import org.jspecify.annotations.NullMarked;
