/**
 * What is stored: a key, and the versioned value or tombstone under it. Pure.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.cell.Key}: what an entity is asked for by.
 *   <li>{@link dev.kvorum.node.cell.Version}: when it was written and by whom; versions are totally ordered.
 *   <li>{@link dev.kvorum.node.cell.HybridClock}: issues versions, and never one below a version it has seen.
 *   <li>{@link dev.kvorum.node.cell.Draft}: a write before it has a version.
 *   <li>{@link dev.kvorum.node.cell.Cell}: a write with its version, in the binary form that is stored and sent.
 *   <li>{@link dev.kvorum.node.cell.RecentLength}: how long what was read has been of late.
 *   <li>{@link dev.kvorum.node.cell.MalformedCellException}, {@link dev.kvorum.node.cell.InvalidKeyException}: bytes that are neither.
 *   <li>{@link dev.kvorum.node.cell.DamagedCellException}: the bytes of a cell are not those that its coordinator made for that key: memory or a disk has changed them.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.cell;

import org.jspecify.annotations.NullMarked;
