/**
 * What befalls the nodes of a cluster in chaos.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultKind}: which faults there are, and how often they come.
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultSchedule}: which begin when, as the seed decides.
 *   <li>{@link dev.kvorum.load.chaos.fault.PlannedFault}: one of them.
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultQueue}: those that wait until they may begin.
 *   <li>{@link dev.kvorum.load.chaos.fault.Havoc}: brings them about, and makes good again.
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultTally}: what became of those that were planned.
 *   <li>{@link dev.kvorum.load.chaos.fault.Claims}: which nodes are in whose hands.
 *   <li>{@link dev.kvorum.load.chaos.fault.MemberChanges}: those that make nodes members, or not any more.
 *   <li>{@link dev.kvorum.load.chaos.fault.Scene}: what all faults share.
 *   <li>{@link dev.kvorum.load.chaos.fault.RunEnd}: after which no fault goes on.
 *   <li>{@link dev.kvorum.load.chaos.fault.Turn}: of faults that only one at a time may bring about.
 *   <li>{@link dev.kvorum.load.chaos.fault.Tools}: what they need beside.
 *   <li>{@link dev.kvorum.load.chaos.fault.ProcessFaults}: ends processes, makes them stand still, and fills their disks.
 *   <li>{@link dev.kvorum.load.chaos.fault.Ends}: ends nodes on purpose, and notices those that have ended by themselves.
 *   <li>{@link dev.kvorum.load.chaos.fault.Restarts}: starts nodes again,
 *   <li>{@link dev.kvorum.load.chaos.fault.Start}: one of those starts, and how long the node was away.
 *   <li>{@link dev.kvorum.load.chaos.fault.ClockFaults}: sets clocks wrong, and right again,
 *   <li>{@link dev.kvorum.load.chaos.fault.ClockError}: by how much,
 *   <li>{@link dev.kvorum.load.chaos.fault.ClockNotice}: whether the node notices,
 *   <li>{@link dev.kvorum.load.chaos.fault.NodeClocks}: by a library that nodes are started with.
 *   <li>{@link dev.kvorum.load.chaos.fault.AddressFaults}: leads addresses to the wrong members.
 *   <li>{@link dev.kvorum.load.chaos.fault.DiskDamage}: damages files, puts older copies back,
 *   <li>{@link dev.kvorum.load.chaos.fault.RottenFile}: one of those files,
 *   <li>{@link dev.kvorum.load.chaos.fault.DataFolder}: in one of those directories,
 *   <li>{@link dev.kvorum.load.chaos.fault.Recovery}: until the node holds all again,
 *   <li>{@link dev.kvorum.load.chaos.fault.NodeSight}: as it says of itself.
 *   <li>{@link dev.kvorum.load.chaos.fault.Losses}: what its disk has lost until then.
 *   <li>{@link dev.kvorum.load.chaos.fault.FaultLog}: what happened when.
 *   <li>{@link dev.kvorum.load.chaos.fault.NodeDisk}: a disk that can be full.
 *   <li>{@link dev.kvorum.load.chaos.fault.SmallFileSystem}: because it is that small,
 *   <li>{@link dev.kvorum.load.chaos.fault.FileSizeLimit}: or because the kernel is told so, where nobody may mount one.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.chaos.fault;

import org.jspecify.annotations.NullMarked;
