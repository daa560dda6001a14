package dev.kvorum.node.repair;

import dev.kvorum.node.copy.CellsCall;
import dev.kvorum.node.copy.CopyUnavailableException;
import dev.kvorum.node.copy.ListCall;
import dev.kvorum.node.copy.LocalCopy;
import dev.kvorum.node.copy.RepairProtocol;
import dev.kvorum.node.copy.StoreCall;
import dev.kvorum.node.copy.StreamCall;
import dev.kvorum.node.copy.TreeCall;
import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.verification.VerifiedCall;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
        handlers.on(PeerOperation.REPAIR_TREE, (body, epoch) -> {
            TreeCall call = RepairProtocol.decodeTreeCall(body);
            return heavy(call.scope().partition(), copy.tree(call).map(RepairProtocol::encode));
        });
        handlers.on(PeerOperation.REPAIR_LIST, (body, epoch) -> {
            ListCall call = RepairProtocol.decodeListCall(body);
            return heavy(call.partition(), copy.list(call).map(RepairProtocol::encode));
        });
        handlers.on(PeerOperation.REPAIR_CELLS, (body, epoch) -> {
            CellsCall call = RepairProtocol.decodeCellsCall(body);
            return heavy(call.partition(), copy.cells(call).map(RepairProtocol::encode));
        });
        handlers.on(PeerOperation.REPAIR_STREAM, (body, epoch) -> {
            StreamCall call = RepairProtocol.decodeStreamCall(body);
            return heavy(call.scope().partition(), copy.stream(call).map(RepairProtocol::encode));
        });
        handlers.on(PeerOperation.REPAIR_STORE, (body, epoch) -> {
            StoreCall call = RepairProtocol.decodeStoreCall(body);
            return heavy(call.partition(), copy.store(call).thenReturn(RepairProtocol.NOTHING));
        });
        handlers.on(PeerOperation.REPAIR_VERIFIED, (body, epoch) -> {
            VerifiedCall call = RepairProtocol.decodeVerifiedCall(body);
            return light(call.partition(), copy.verified(call).thenReturn(RepairProtocol.NOTHING));
        });
        handlers.on(PeerOperation.REPAIR_RUN, (body, epoch) -> {
            int partition = RepairProtocol.decodePartition(body);
            return light(partition, Mono.fromSupplier(() -> {
                var _ = repair.repair(partition, true);
                return RepairProtocol.NOTHING;
            }));
        });
        handlers.on(
                PeerOperation.REPAIR_LIFE,
                (body, epoch) -> Mono.just(
                        new CallReply.Done(RepairProtocol.encode(parts.alive().get()))));
    }

    /** Refused while this node has better to do, but for {@link #REFUSING_NANOS_MAX}: whoever asked comes again. */
    private Mono<CallReply> heavy(int partition, Mono<byte[]> work) {
        return light(
                partition,
                Mono.defer(() -> mayServe()
                        ? work
                        : Mono.error(new CopyUnavailableException(failure(Reason.OVERLOADED, "it is busy")))));
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

    private Mono<CallReply> light(int partition, Mono<byte[]> work) {
        int partitions = parts.membership().view().topology().partitions();
        if (partition >= partitions) {
            throw new MalformedCallException("there is no partition " + partition + ": there are " + partitions);
        }
        return work.<CallReply>map(CallReply.Done::new).onErrorResume(e -> Mono.just(failure(e)));
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
