package dev.kvorum.node.repair;

import dev.kvorum.node.copy.CellsCall;
import dev.kvorum.node.copy.CopyUnavailableException;
import dev.kvorum.node.copy.ListCall;
import dev.kvorum.node.copy.LocalCopy;
import dev.kvorum.node.copy.RepairProtocol;
import dev.kvorum.node.copy.StoreCall;
import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.PeerOperation.Kind;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.verification.VerifiedCall;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import reactor.core.publisher.Mono;

/** Answers the calls of other members' repair from this node's copy. Any thread. */
public final class RepairService {
    /**
     * How long a busy node refuses everything at most. What is asked for then is served: a page of at most 4 MiB to read and 64 KiB to send, a few milliseconds of a thread. Without such a floor,
     * members that join, or rebuild, would never get there while the cluster has more to do than it can, which is when they are needed.
     */
    static final long REFUSING_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long DEBT_NANOS_MAX =
            TimeUnit.MILLISECONDS.toNanos(500); // Its caller would wait for that as well.

    private final AtomicLong servedAt = new AtomicLong();
    private final LocalCopy copy;
    private final Repair repair;
    private final RepairParts parts;

    RepairService(LocalCopy copy, Repair repair, RepairParts parts) {
        this.copy = copy;
        this.repair = repair;
        this.parts = parts;
    }

    /** Answers the calls of repair from now on. */
    public void serve(CallHandlers handlers) {
        on(
                handlers,
                PeerOperation.REPAIR_TREE,
                RepairProtocol::decodeTreeCall,
                call -> call.scope().partition(),
                call -> copy.tree(call).map(RepairProtocol::encode));
        on(
                handlers,
                PeerOperation.REPAIR_LIST,
                RepairProtocol::decodeListCall,
                ListCall::partition,
                call -> copy.list(call).map(RepairProtocol::encode));
        on(
                handlers,
                PeerOperation.REPAIR_CELLS,
                RepairProtocol::decodeCellsCall,
                CellsCall::partition,
                call -> copy.cells(call).map(RepairProtocol::encode));
        on(
                handlers,
                PeerOperation.REPAIR_STREAM,
                RepairProtocol::decodeStreamCall,
                call -> call.scope().partition(),
                call -> copy.stream(call).map(RepairProtocol::encode));
        on(
                handlers,
                PeerOperation.REPAIR_STORE,
                RepairProtocol::decodeStoreCall,
                StoreCall::partition,
                call -> copy.store(call).thenReturn(RepairProtocol.NOTHING));
        on(
                handlers,
                PeerOperation.REPAIR_VERIFIED,
                RepairProtocol::decodeVerifiedCall,
                VerifiedCall::partition,
                call -> copy.verified(call).thenReturn(RepairProtocol.NOTHING));
        on(
                handlers,
                PeerOperation.REPAIR_RUN,
                RepairProtocol::decodePartition,
                Integer::intValue,
                partition -> Mono.fromSupplier(() -> {
                    var _ = repair.repair(partition, true);
                    return RepairProtocol.NOTHING;
                }));
        handlers.on(
                PeerOperation.REPAIR_LIFE,
                (body, epoch) -> Mono.just(
                        new CallReply.Done(RepairProtocol.encode(parts.alive().get()))));
    }

    /** @param work what answers a call about a partition that there is */
    private <C> void on(
            CallHandlers handlers,
            PeerOperation operation,
            Function<byte[], C> decode,
            ToIntFunction<C> partition,
            Function<C, Mono<byte[]>> work) {
        handlers.on(operation, (body, epoch) -> {
            C call = decode.apply(body);
            requirePartition(partition.applyAsInt(call));
            Mono<byte[]> answer = work.apply(call);
            return (operation.kind() == Kind.BULK ? unlessBusy(answer) : answer)
                    .<CallReply>map(CallReply.Done::new)
                    .onErrorResume(e -> Mono.just(failure(e)));
        });
    }

    private void requirePartition(int partition) {
        int partitions = parts.membership().view().topology().partitions();
        if (partition >= partitions) {
            throw new MalformedCallException("there is no partition " + partition + ": there are " + partitions);
        }
    }

    /** Refused while this node has better to do, but for {@link #REFUSING_NANOS_MAX}: the member that asked comes again. */
    private Mono<byte[]> unlessBusy(Mono<byte[]> work) {
        return Mono.defer(() ->
                mayServe() ? work : Mono.error(new CopyUnavailableException(failure(Reason.OVERLOADED, "it is busy"))));
    }

    private boolean mayServe() {
        if (copy.scanDebtNanos() > DEBT_NANOS_MAX) {
            return false;
        }
        long now = parts.deadlines().now();
        long before = servedAt.get();
        return parts.backpressure().busy().getAsBoolean()
                ? now - before >= REFUSING_NANOS_MAX && servedAt.compareAndSet(before, now)
                : served(now);
    }

    private boolean served(long now) {
        servedAt.lazySet(now);
        return true;
    }

    private ReplicaFailure failure(Throwable e) {
        return switch (e) {
            case CopyUnavailableException unavailable -> unavailable.failure();
            case StoreOverloadedException full -> failure(Reason.OVERLOADED, String.valueOf(full.getMessage()));
            default -> failure(Reason.BROKEN, LocalReplica.inWords(e));
        };
    }

    private ReplicaFailure failure(Reason reason, String detail) {
        return new ReplicaFailure(parts.local().member(), reason, detail);
    }
}
