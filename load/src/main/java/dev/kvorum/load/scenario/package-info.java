/**
 * Experiments as they are written down in {@code load/scenarios}. Pure.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.scenario.Scenario}: an experiment: variants, rounds, expectations.
 *   <li>{@link dev.kvorum.load.scenario.Variant}: one of the things that it compares.
 *   <li>{@link dev.kvorum.load.scenario.ClusterPlan}: the nodes of a variant.
 *   <li>{@link dev.kvorum.load.scenario.LoadPlan}: the load of a variant.
 *   <li>{@link dev.kvorum.load.scenario.Aim}: a rate, a closed loop, a search or an overload.
 *   <li>{@link dev.kvorum.load.scenario.FaultPlan}: what goes wrong with one node, strangers that crowd it, or which nodes join and leave.
 *   <li>{@link dev.kvorum.load.scenario.ScenarioFile}: reads a scenario.
 *   <li>{@link dev.kvorum.load.scenario.VariantFields}: reads one variant.
 *   <li>{@link dev.kvorum.load.scenario.Fields}: the fields of a YAML mapping.
 *   <li>{@link dev.kvorum.load.scenario.InvalidScenario}: what is wrong with which field.
 *   <li>{@link dev.kvorum.load.scenario.JvmOptions}: the JVM options of a scenario's nodes.
 *   <li>{@link dev.kvorum.load.scenario.OneCluster}: variants that can take turns on one cluster.
 *   <li>{@link dev.kvorum.load.scenario.ScenarioLength}: lengths that are given on the command line instead of the scenario.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.scenario;

import org.jspecify.annotations.NullMarked;
