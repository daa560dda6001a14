package dev.kvorum.node.repair;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Another member's copy. One that has too much to do is asked again after a pause: repair has time. */
final class RemoteCopy implements PartitionCopy {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int PAUSES_MAX = 60;

    private final Member member;
    private final long epoch;
    private final PeerCalls calls;
    private final Deadlines deadlines;

    /** @param epoch that by which the member was chosen: when either side goes by another, the copy can't be used any more */
    RemoteCopy(Member member, long epoch, PeerCalls calls, Deadlines deadlines) {
        this.member = member;
        this.epoch = epoch;
        this.calls = calls;
        this.deadlines = deadlines;
    }

    @Override
    public Mono<TreePage> tree(TreeCall call) {
        int leaves = call.shape().leaves();
        return call(
                PeerProtocol.REPAIR_TREE,
                RepairProtocol.encode(call),
                body -> RepairProtocol.decodeTreePage(body, leaves));
    }

    @Override
    public Mono<ListPage> list(ListCall call) {
        return call(PeerProtocol.REPAIR_LIST, RepairProtocol.encode(call), RepairProtocol::decodeListPage);
    }

    @Override
    public Mono<CellPage> cells(CellsCall call) {
        return call(PeerProtocol.REPAIR_CELLS, RepairProtocol.encode(call), RepairProtocol::decodeCellPage);
    }

    @Override
    public Mono<CellPage> stream(StreamCall call) {
        return call(PeerProtocol.REPAIR_STREAM, RepairProtocol.encode(call), RepairProtocol::decodeCellPage);
    }

    @Override
    public Mono<Void> store(StoreCall call) {
        return call(PeerProtocol.REPAIR_STORE, RepairProtocol.encode(call), body -> body)
                .then();
    }

    @Override
    public Mono<Void> verified(VerifiedCall call) {
        return call(PeerProtocol.REPAIR_VERIFIED, RepairProtocol.encode(call), body -> body)
                .then();
    }

    private <T> Mono<T> call(String path, byte[] body, Function<byte[], T> decode) {
        return patient(path, body, PAUSES_MAX).map(reply -> switch (reply) {
            case CallReply.Done done -> decoded(done.body(), decode);
            case ReplicaFailure failure -> throw new CopyUnavailableException(failure);
        });
    }

    private Mono<CallReply> patient(String path, byte[] body, int pauses) {
        return calls.call(member, path, epoch, body)
                .flatMap(reply -> isOverloaded(reply) && pauses > 0
                        ? deadlines.after(PAUSE_NANOS).then(Mono.defer(() -> patient(path, body, pauses - 1)))
                        : Mono.just(reply));
    }

    private static boolean isOverloaded(CallReply reply) {
        return reply instanceof ReplicaFailure failure && failure.reason() == Reason.OVERLOADED;
    }

    private <T> T decoded(byte[] body, Function<byte[], T> decode) {
        try {
            return decode.apply(body);
        } catch (MalformedCallException e) {
            throw new CopyUnavailableException(
                    new ReplicaFailure(member.id(), Reason.BROKEN, "answered nonsense: " + e.getMessage()));
        }
    }
}
