/**
 * Commands in the node's jar that change the members of a running cluster. They speak HTTP to the peers' ports and keep nothing: ended at any instant, they are given again.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.command.Commands}: which commands there are, and what each does.
 *   <li>{@link dev.kvorum.node.command.CommandLine}: a command as it was given; {@link
 *       dev.kvorum.node.command.InvalidCommandException} says what is wrong with it.
 *   <li>{@link dev.kvorum.node.command.PeerPort}: one node's peers' port; {@link dev.kvorum.node.command.PeerPortException} where it does not do as
 *       asked.
 *   <li>{@link dev.kvorum.node.command.ClusterPort}: those of all members; {@link dev.kvorum.node.command.Observation} is what they
 *       answer.
 *   <li>{@link dev.kvorum.node.command.ChangeDriver}: carries a change out, or back.
 *   <li>{@link dev.kvorum.node.command.LowerEpoch}: repairs the data directory of a stopped node, offline.
 *   <li>{@link dev.kvorum.node.command.Polling}: how often it looks whether members have got on.
 *   <li>{@link dev.kvorum.node.command.Screen}: what is shown of it.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.command;

import org.jspecify.annotations.NullMarked;
