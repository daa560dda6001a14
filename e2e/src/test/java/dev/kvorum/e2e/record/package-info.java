/**
 * What clients of a cluster saw.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.record.Recorder}: all operations of all clients, as a history that can be checked.
 *   <li>{@link dev.kvorum.e2e.record.Endpoint}: a node as they know it.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.record;

import org.jspecify.annotations.NullMarked;
