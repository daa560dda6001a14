package dev.kvorum.node.copy;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.verification.VerifiedCall;
import dev.kvorum.topology.Member;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Another member's copy. One that has too much to do is asked again after a pause, as it serves a page now and then all the same: at first after {@value #PAUSE_MILLIS_MIN} ms, twice
 * as long each time up to {@value #PAUSE_MILLIS_MAX} ms, for half a minute in all. One that does not answer in time is asked {@value #TRIES} times, as a run takes many calls and one
 * that is late would spoil it; what is asked here twice does no harm.
 */
public final class RemoteCopy implements PartitionCopy {
    private static final int PAUSE_MILLIS_MIN = 25;
    private static final int PAUSE_MILLIS_MAX = 400;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int TRIES = 3;

    private final Member member;
    private final long epoch;
    private final PeerCalls calls;
    private final Deadlines deadlines;
    private final Refusals refusals;

    /**
     * @param epoch that by which the member was chosen: when either side goes by another, the copy can't be used any more
     * @param refusals told of it when the member has too much to do
     */
    public RemoteCopy(Member member, long epoch, PeerCalls calls, Deadlines deadlines, Refusals refusals) {
        this.member = member;
        this.epoch = epoch;
        this.calls = calls;
        this.deadlines = deadlines;
        this.refusals = refusals;
    }

    @Override
    public Mono<TreePage> tree(TreeCall call) {
        int leaves = call.shape().leaves();
        return call(
                PeerOperation.REPAIR_TREE,
                RepairProtocol.encode(call),
                body -> RepairProtocol.decodeTreePage(body, leaves));
    }

    @Override
    public Mono<ListPage> list(ListCall call) {
        return call(PeerOperation.REPAIR_LIST, RepairProtocol.encode(call), RepairProtocol::decodeListPage);
    }

    @Override
    public Mono<CellPage> cells(CellsCall call) {
        return call(PeerOperation.REPAIR_CELLS, RepairProtocol.encode(call), RepairProtocol::decodeCellPage);
    }

    @Override
    public Mono<CellPage> stream(StreamCall call) {
        return call(PeerOperation.REPAIR_STREAM, RepairProtocol.encode(call), RepairProtocol::decodeCellPage);
    }

    @Override
    public Mono<Void> store(StoreCall call) {
        return call(PeerOperation.REPAIR_STORE, RepairProtocol.encode(call), body -> body)
                .then();
    }

    @Override
    public Mono<Void> verified(VerifiedCall call) {
        return call(PeerOperation.REPAIR_VERIFIED, RepairProtocol.encode(call), body -> body)
                .then();
    }

    private <T> Mono<T> call(PeerOperation operation, byte[] body, Function<byte[], T> decode) {
        return Mono.defer(() -> patient(operation, body, PAUSE_MILLIS_MIN, deadlines.now() + PATIENCE_NANOS))
                .map(reply -> switch (reply) {
                    case CallReply.Done done -> decoded(member, done.body(), decode);
                    case ReplicaFailure failure -> throw new CopyUnavailableException(failure);
                });
    }

    private Mono<CallReply> patient(PeerOperation operation, byte[] body, int pauseMillis, long until) {
        return inTime(operation, body, TRIES).flatMap(reply -> {
            boolean refused = isOverloaded(reply);
            refusals.answered(member.id(), refused, deadlines.now());
            int next = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
            return refused && deadlines.now() < until
                    ? deadlines
                            .after(TimeUnit.MILLISECONDS.toNanos(pauseMillis))
                            .then(Mono.defer(() -> patient(operation, body, next, until)))
                    : Mono.just(reply);
        });
    }

    private Mono<CallReply> inTime(PeerOperation operation, byte[] body, int tries) {
        return calls.call(member, operation, epoch, body)
                .flatMap(reply ->
                        reply instanceof ReplicaFailure failure && failure.reason() == Reason.TIMED_OUT && tries > 1
                                ? inTime(operation, body, tries - 1)
                                : Mono.just(reply));
    }

    private static boolean isOverloaded(CallReply reply) {
        return reply instanceof ReplicaFailure failure && failure.reason() == Reason.OVERLOADED;
    }

    /**
     * What a member has answered.
     *
     * @throws CopyUnavailableException if it can't be decoded
     */
    public static <T> T decoded(Member member, byte[] body, Function<byte[], T> decode) {
        try {
            return decode.apply(body);
        } catch (MalformedCallException e) {
            throw new CopyUnavailableException(
                    new ReplicaFailure(member.id(), Reason.BROKEN, "answered nonsense: " + e.getMessage()));
        }
    }
}
