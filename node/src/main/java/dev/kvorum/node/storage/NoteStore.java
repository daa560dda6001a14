package dev.kvorum.node.storage;

import reactor.core.publisher.Mono;

/** What this node notes for itself, besides the cells: a few small notes by name. Any thread may call it; nothing blocks the caller. */
public interface NoteStore {
    /** The note of that name; empty if there is none. */
    Mono<byte[]> note(String name);

    /** Writes a note; it is on the disk with the next sync. */
    Mono<Void> note(String name, byte[] note);
}
