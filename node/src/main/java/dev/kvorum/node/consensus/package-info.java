/**
 * Keys as linearizable registers: conditional and linearizable writes by rounds of consensus, one register per key, and linearizable reads. Pure.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.consensus.RegisterCoordinator}: linearizable reads and writes of clients.
 *   <li>{@link dev.kvorum.node.consensus.RegisterChange}: one write, round by round; {@link dev.kvorum.node.consensus.RegisterRead}: one read.
 *   <li>{@link dev.kvorum.node.consensus.Turns}: writes of one key through this node, one after the other.
 *   <li>{@link dev.kvorum.node.consensus.ChangesUnderWay}: bounds writes whose clients may have gone.
 *   <li>{@link dev.kvorum.node.consensus.RegisterParts}: what they work with.
 *   <li>{@link dev.kvorum.node.consensus.Condition}: what must hold for a write; {@link dev.kvorum.node.consensus.ChangeOutcome}: how it ended.
 *   <li>{@link dev.kvorum.node.consensus.Electorate}, {@link dev.kvorum.node.consensus.Electorates}: who decides about a key, and how they are found.
 *   <li>{@link dev.kvorum.node.consensus.Voter}: one of them; {@link dev.kvorum.node.consensus.Vote}: what it answers; {@link
 *       dev.kvorum.node.consensus.Poll}: what the votes of all come to.
 *   <li>{@link dev.kvorum.node.consensus.Standing}: how a register stands, by the promises of a majority.
 *   <li>{@link dev.kvorum.node.consensus.Proposal}: what a round wants it to be.
 *   <li>{@link dev.kvorum.node.consensus.Acceptor}: the registers of this node; {@link dev.kvorum.node.consensus.Acceptance}: one row of them; {@link
 *       dev.kvorum.node.consensus.Rebirth}: what the node has forgotten.
 *   <li>{@link dev.kvorum.node.consensus.RemoteVoter}, {@link dev.kvorum.node.consensus.RegisterService}, {@link
 *       dev.kvorum.node.consensus.RegisterProtocol}: the calls between members, at either end and on the wire.
 *   <li>{@link dev.kvorum.node.consensus.Settling}: finishes rounds that were left half-way; {@link dev.kvorum.node.consensus.OpenRegisters}: which these
 *       may be.
 *   <li>{@link dev.kvorum.node.consensus.RegisterWalk}: reads all rows; {@link dev.kvorum.node.consensus.Leftovers}: forgets what is not needed of one.
 *   <li>{@link dev.kvorum.node.consensus.SettledPartitions}: partitions for those who compare and move them, with nothing left open.
 *   <li>{@link dev.kvorum.node.consensus.RegisterMetrics}: rounds by outcome.
 *   <li>{@link dev.kvorum.node.consensus.RowVersions}: the versions in the rows of registers, for those that move versions.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.consensus;

import org.jspecify.annotations.NullMarked;
