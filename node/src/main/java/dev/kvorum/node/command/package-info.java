/**
 * Commands in the node's jar that change the members of a running cluster. They ask nodes over the control interface and keep nothing: a command that was ended at any instant can be given again.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.command.Commands}: parses a command and runs it.
 *   <li>{@link dev.kvorum.node.command.NodeCommands}: which commands there are, and what each does.
 *   <li>{@link dev.kvorum.node.command.ClusterOptions}: which cluster a command is about.
 *   <li>{@link dev.kvorum.node.command.ChangeOptions}: which members join and leave; {@link dev.kvorum.node.command.JoiningMember} reads one that
 *       joins.
 *   <li>{@link dev.kvorum.node.command.GoneOptions}: members that no command waits for.
 *   <li>{@link dev.kvorum.node.command.NodeVersion}: which version the jar is.
 *   <li>{@link dev.kvorum.node.command.EpochConverter}: reads an epoch.
 *   <li>{@link dev.kvorum.node.command.RefusedCommandException}: why a command can't be carried out.
 *   <li>{@link dev.kvorum.node.command.AnyNode}: the cluster, through one node that answers.
 *   <li>{@link dev.kvorum.node.command.ChangeDriver}: carries a change out, or back.
 *   <li>{@link dev.kvorum.node.command.LowerEpoch}: repairs the data directory of a stopped node, offline.
 *   <li>{@link dev.kvorum.node.command.RestampCommand}: lists versions that are too far ahead, and moves them back, offline.
 *   <li>{@link dev.kvorum.node.command.Polling}: how often it looks whether members have got on.
 *   <li>{@link dev.kvorum.node.command.Screen}: what is shown of it.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.command;

import org.jspecify.annotations.NullMarked;
