package dev.kvorum.node.storage;

import reactor.core.publisher.MonoSink;

/** A cell that waits to be committed. */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record PendingWrite(byte[] key, byte[] cell, MonoSink<Void> sink) implements Commitment {}
