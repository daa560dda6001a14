package dev.kvorum.node.coordinator;

import static reactor.core.publisher.Sinks.EmitFailureHandler.FAIL_FAST;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A replica that answers when the test says so, and records what it was asked. All calls get one answer, until {@link #again}. */
final class ManualReplica implements Replica {
    private final String member;
    private Sinks.One<WriteReply> writeReply = Sinks.one();
    private Sinks.One<ReadReply> readReply = Sinks.one();
    private final List<Cell> written = new ArrayList<>();
    private final List<Cell> brought = new ArrayList<>();
    private final List<Long> epochs = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private Runnable whenAsked = () -> {};
    private int reads;
    private boolean answered;
    private boolean cancelled;

    ManualReplica(String member) {
        this.member = member;
    }

    @Override
    public String member() {
        return member;
    }

    @Override
    public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
        epochs.add(epoch);
        return writeReply.asMono().doOnSubscribe(begun -> written.add(cell)).doOnCancel(this::cancel);
    }

    @Override
    public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
        brought.add(cell);
        return write(key, cell, epoch);
    }

    /** The cells that it was sent not as fresh writes. */
    List<Cell> brought() {
        return brought;
    }

    @Override
    public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
        epochs.add(epoch);
        waits.add(Duration.ofNanos(waitNanos));
        whenAsked.run();
        return readReply.asMono().doOnSubscribe(begun -> reads++).doOnCancel(this::cancel);
    }

    /** How long each read would wait at most. */
    List<Duration> waits() {
        return waits;
    }

    /** The reply that decides a request is cancelled as well, between its value and its completion: that costs nothing. */
    private void cancel() {
        cancelled |= !answered;
    }

    void stores() {
        answered = true;
        writeReply.emitValue(new WriteReply.Stored(member), FAIL_FAST);
    }

    void finds(Cell cell) {
        answered = true;
        readReply.emitValue(new ReadReply.Found(member, cell), FAIL_FAST);
    }

    void findsNothing() {
        answered = true;
        readReply.emitValue(new ReadReply.Absent(member), FAIL_FAST);
    }

    /** Answers with a failure, whichever call it was. */
    void fails(Reason reason) {
        answered = true;
        writeReply.emitValue(failure(reason), FAIL_FAST);
        readReply.emitValue(failure(reason), FAIL_FAST);
    }

    /** Answers writes with a failure, also those to come. */
    void refusesWrites(Reason reason) {
        writeReply.emitValue(failure(reason), FAIL_FAST);
    }

    /** Answers the calls so far with a failure; those from now on wait for another answer. */
    void refuses(Reason reason) {
        Sinks.One<WriteReply> write = writeReply;
        Sinks.One<ReadReply> read = readReply;
        writeReply = Sinks.one();
        readReply = Sinks.one();
        write.emitValue(failure(reason), FAIL_FAST);
        read.emitValue(failure(reason), FAIL_FAST);
    }

    /** Answers the writes so far that it may have acknowledged a newer one; those from now on wait for another answer. */
    void isAbove(Version floor) {
        Sinks.One<WriteReply> write = writeReply;
        writeReply = Sinks.one();
        write.emitValue(new WriteReply.Below(member, floor), FAIL_FAST);
    }

    /** Breaks its promise to answer with a reply: ends the calls in an error. */
    void breaks(RuntimeException bug) {
        answered = true;
        writeReply.emitError(bug, FAIL_FAST);
        readReply.emitError(bug, FAIL_FAST);
    }

    /** Breaks it by an end without a reply. */
    void endsWithoutReply() {
        answered = true;
        writeReply.emitEmpty(FAIL_FAST);
        readReply.emitEmpty(FAIL_FAST);
    }

    /** What happens when a read asks for a call, before it begins. */
    void whenAsked(Runnable event) {
        whenAsked = event;
    }

    /** Leaves the calls so far as they are; those from now on wait for another answer. */
    void again() {
        writeReply = Sinks.one();
        readReply = Sinks.one();
        reads = 0;
        answered = false;
        cancelled = false;
    }

    ReplicaFailure failure(Reason reason) {
        return new ReplicaFailure(member, reason, "as the test says");
    }

    /** The cells it was sent. */
    List<Cell> written() {
        return written;
    }

    /** The epochs that its calls carried. */
    List<Long> epochs() {
        return epochs;
    }

    int reads() {
        return reads;
    }

    /** Whether a call was cancelled that had no answer yet. */
    boolean isCancelled() {
        return cancelled;
    }
}
