package dev.kvorum.node.http.client;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.replica.WriteReply;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A replica that answers its reads in their order, when and by the thread that the test chooses. */
final class ManualReplica implements Replica {
    static final long NOW = 1_700_000_000_000L;

    private final Queue<MonoSink<ReadReply>> asked = new ConcurrentLinkedQueue<>();

    @Override
    public String member() {
        return "n1";
    }

    @Override
    public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
        return Mono.just(new WriteReply.Stored(member()));
    }

    @Override
    public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
        return write(key, cell, epoch);
    }

    @Override
    public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
        return Mono.create(asked::add);
    }

    /** How many reads wait. */
    int asked() {
        return asked.size();
    }

    /** Lets the read that has waited longest fail for lack of room. */
    void refuses() {
        asked.remove().success(new ReplicaFailure(member(), Reason.OVERLOADED, "as the test says"));
    }

    /** Answers the read that has waited longest with a value of that length. */
    void finds(int length) {
        Cell cell = Draft.ofValue(new byte[length]).stamp(Key.of("any"), new Version(NOW << 16, 7), 1);
        asked.remove().success(new ReadReply.Found(member(), cell));
    }
}
