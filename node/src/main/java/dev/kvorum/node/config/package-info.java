/**
 * The settings of a node: one record per concern, validated when the node starts. A refusal names the option.
 *
 * <p>The reference in {@code docs/configuration.md} is made from the comments of these records.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.config.NodeSettings}: who this node is and where its files and ports are.
 *   <li>{@link dev.kvorum.node.config.HttpSettings}: the client port and its limits.
 *   <li>{@link dev.kvorum.node.config.ManagementSettings}: the management port and its limits.
 *   <li>{@link dev.kvorum.node.config.FileBudget}: how many files and connections the process may have open.
 *   <li>{@link dev.kvorum.node.config.QuorumSettings}: what a request that does not say so asks for.
 *   <li>{@link dev.kvorum.node.config.ReadSettings}: which replicas a read asks, and when.
 *   <li>{@link dev.kvorum.node.config.PeerSettings}: calls to other members.
 *   <li>{@link dev.kvorum.node.config.HintSettings}: writes kept for replicas that did not take them.
 *   <li>{@link dev.kvorum.node.config.StorageSettings}: RocksDB and the queue before it.
 *   <li>{@link dev.kvorum.node.config.ClockSettings}: how far clocks may differ.
 *   <li>{@link dev.kvorum.node.config.RepairSettings}: comparing data with other members, and dropping what is deleted.
 *   <li>{@link dev.kvorum.node.config.ContradictorySettingsException}: settings that are not right together.
 *   <li>{@link dev.kvorum.node.config.Require}: the checks and the wording of their refusals.
 *   <li>{@link dev.kvorum.node.config.Settings}: settings by name, where no environment has any: in the simulation, tests and benchmarks.
 *   <li>{@link dev.kvorum.node.config.HeapShare}: what a limit of 0 stands for: a share of the heap.
 *   <li>{@link dev.kvorum.node.config.ProcessFiles}: how many files and sockets this process may have open.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.config;

import org.jspecify.annotations.NullMarked;
