package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import reactor.core.publisher.MonoSink;

/**
 * A hint on its way to the disk.
 *
 * @param bytes what it will count in the store
 * @param sink is told how many older hints had to go for it
 */
record PendingHint(String member, Key key, Cell cell, int bytes, MonoSink<Integer> sink) {}
