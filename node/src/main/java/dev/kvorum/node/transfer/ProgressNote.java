package dev.kvorum.node.transfer;

import dev.kvorum.node.storage.NoteStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Where progress is kept across restarts. At most one note is on its way to the disk, and one waits: those between are never missed. Any thread. */
final class ProgressNote {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressNote.class);
    private static final String NAME = "transfer";

    private final NoteStore notes;
    private byte @Nullable [] waiting;
    private boolean writing;

    ProgressNote(NoteStore notes) {
        this.notes = notes;
    }

    /** What a former life has noted; empty if it was nothing. */
    Mono<TransferProgress> read() {
        return notes.note(NAME).map(TransferProgress::decode);
    }

    void write(TransferProgress progress) {
        synchronized (this) {
            waiting = progress.encode();
            if (writing) {
                return;
            }
            writing = true;
        }
        var _ = Mono.defer(this::next).repeat(this::goesOn).subscribe();
    }

    private Mono<Void> next() {
        byte @Nullable [] note;
        synchronized (this) {
            note = waiting;
            waiting = null;
        }
        return note == null
                ? Mono.empty()
                : notes.note(NAME, note).onErrorResume(e -> {
                    LOG.warn("How far a transfer has come could not be noted; after a restart some is done again", e);
                    return Mono.empty();
                });
    }

    private synchronized boolean goesOn() {
        writing = waiting != null;
        return writing;
    }
}
