/**
 * What clients saw of a cluster, simulated or real.
 *
 * <ul>
 *   <li>{@link dev.kvorum.history.History}: all of it, from the first operation to what the disks held at the end.
 *   <li>{@link dev.kvorum.history.Operation}: one operation of a client: {@link dev.kvorum.history.Request} and {@link
 *       dev.kvorum.history.Answer}.
 *   <li>{@link dev.kvorum.history.DiskLoss}: a disk that lost what it had taken since some time.
 *   <li>{@link dev.kvorum.history.Copy}: what one node held of one key at the end.
 *   <li>{@link dev.kvorum.history.HistoryFile}: the same as lines of JSON, in a file.
 *   <li>{@link dev.kvorum.history.MalformedHistoryException}: a file that is none.
 * </ul>
 *
 * <p>Knows neither node nor framework: whatever drives a cluster can record one, and {@link dev.kvorum.history.check} judges it.
 */
@NullMarked
package dev.kvorum.history;

import org.jspecify.annotations.NullMarked;
