/**
 * What befalls the nodes of a cluster in chaos.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultKind}: which faults there are, and how often they come.
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultSchedule}: which begin when, as the seed decides.
 *   <li>{@link dev.kvorum.load.chaos.fault.PlannedFault}: one of them.
 *   <li>{@link dev.kvorum.load.chaos.fault.Havoc}: brings them about, and makes good again.
 *   <li>{@link dev.kvorum.load.chaos.fault.Claims}: which nodes are in whose hands.
 *   <li>{@link dev.kvorum.load.chaos.fault.MemberChanges}: those that make nodes members, or not any more.
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultLog}: what happened when.
 *   <li>{@link dev.kvorum.load.chaos.fault.NodeDisk}: a disk that can be full.
 *   <li>{@link dev.kvorum.load.chaos.fault.SmallFileSystem}: because it is that small,
 *   <li>{@link dev.kvorum.load.chaos.fault.FileSizeLimit}: or because the kernel is told so, where nobody may mount one.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.chaos.fault;

import org.jspecify.annotations.NullMarked;
