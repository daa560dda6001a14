/**
 * The load itself: what is asked, at which pace, and how each request ended. The generator is Hyperfoil's core, embedded.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.generate.Stretch}: a stretch of load of one kind.
 *   <li>{@link dev.kvorum.load.generate.Pace}: an open model at a constant rate, or a closed loop.
 *   <li>{@link dev.kvorum.load.generate.Traffic}: operations, keys, quorum and value size.
 *   <li>{@link dev.kvorum.load.generate.Operation}: GET, PUT or DELETE.
 *   <li>{@link dev.kvorum.load.generate.ValueSizes}: how long each key's value is.
 *   <li>{@link dev.kvorum.load.generate.KeyChoice}: which key is asked for next.
 *   <li>{@link dev.kvorum.load.generate.ZipfKeys}: few keys often, many rarely.
 *   <li>{@link dev.kvorum.load.generate.Generator}: runs a stretch, second by second.
 *   <li>{@link dev.kvorum.load.generate.HyperfoilBenchmark}: a stretch in Hyperfoil's terms.
 *   <li>{@link dev.kvorum.load.generate.Arrivals}: decides each request, and since when it was due.
 *   <li>{@link dev.kvorum.load.generate.Pending}: the request a session is about.
 *   <li>{@link dev.kvorum.load.generate.RequestParts}: method, path, body and handlers of a request.
 *   <li>{@link dev.kvorum.load.generate.Ledger}: counts every request and its latency.
 *   <li>{@link dev.kvorum.load.generate.LatencySeries}: latencies, interval by interval.
 *   <li>{@link dev.kvorum.load.generate.Outcome}: how a request ended.
 *   <li>{@link dev.kvorum.load.generate.Slice}: the requests that ended within some time.
 *   <li>{@link dev.kvorum.load.generate.StretchResult}: what a stretch came to.
 *   <li>{@link dev.kvorum.load.generate.PatientClients}: some who wait as they are told, beside a load that does not.
 *   <li>{@link dev.kvorum.load.generate.GeneratorFailed}: the generator itself could not.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.generate;

import org.jspecify.annotations.NullMarked;
