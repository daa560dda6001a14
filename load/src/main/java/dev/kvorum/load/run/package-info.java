/**
 * From a scenario to results: clusters started, filled, warmed up, measured, ended.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.run.BenchOptions}: how to run a scenario, whichever it is.
 *   <li>{@link dev.kvorum.load.run.NodeBuilds}: the node's jars.
 *   <li>{@link dev.kvorum.load.run.ScenarioRun}: all rounds, variants in turn.
 *   <li>{@link dev.kvorum.load.run.VariantRun}: one round of one variant.
 *   <li>{@link dev.kvorum.load.run.Round}: the same as a search sees it.
 *   <li>{@link dev.kvorum.load.run.SaturationSearch}: the highest good rate, by bisection.
 *   <li>{@link dev.kvorum.load.run.OverloadRun}: far more than the nodes can serve, and what comes after.
 *   <li>{@link dev.kvorum.load.run.Recovery}: how long that is felt,
 *   <li>{@link dev.kvorum.load.run.RefusalWaits}: how long who was refused had waited,
 *   <li>{@link dev.kvorum.load.run.Patience}: and how those fare who then wait as they are told.
 *   <li>{@link dev.kvorum.load.run.Measuring}: a stretch of load, and a look at the nodes meanwhile.
 *   <li>{@link dev.kvorum.load.run.FaultTimer}: lets a fault befall a node,
 *   <li>{@link dev.kvorum.load.run.Scaling}: or the members change.
 *   <li>{@link dev.kvorum.load.run.Befallen}: what befell, and how long it lasted.
 *   <li>{@link dev.kvorum.load.run.Measurement}: what was seen.
 *   <li>{@link dev.kvorum.load.run.MeasuredFigures}: and what figures come of it.
 *   <li>{@link dev.kvorum.load.run.Leg}: a named stretch of a round.
 *   <li>{@link dev.kvorum.load.run.RoundResult}: what a round came to.
 *   <li>{@link dev.kvorum.load.run.Progress}: hears what a run is about.
 *   <li>{@link dev.kvorum.load.run.RoundProgress}: of which round.
 *   <li>{@link dev.kvorum.load.run.QuietRound}: measures a round again while the host takes more of the processors than the scenario allows.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.run;

import org.jspecify.annotations.NullMarked;
