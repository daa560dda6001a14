/**
 * Commands in the node's jar that change the members of a running cluster. They ask nodes over the control interface and keep nothing: a command that was ended at any instant can be given again.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.command.Commands}: which commands there are, and what each does.
 *   <li>{@link dev.kvorum.node.command.CommandLine}: a command as it was given; {@link
 *       dev.kvorum.node.command.InvalidCommandException} says what is wrong with it.
 *   <li>{@link dev.kvorum.node.command.AnyNode}: the cluster, through one node that answers.
 *   <li>{@link dev.kvorum.node.command.ChangeDriver}: carries a change out, or back.
 *   <li>{@link dev.kvorum.node.command.LowerEpoch}: repairs the data directory of a stopped node, offline.
 *   <li>{@link dev.kvorum.node.command.Polling}: how often it looks whether members have got on.
 *   <li>{@link dev.kvorum.node.command.Screen}: what is shown of it.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.command;

import org.jspecify.annotations.NullMarked;
