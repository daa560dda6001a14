package dev.kvorum.node.control;

import dev.kvorum.control.ControlJson;
import dev.kvorum.node.membership.RefusedTopologyException;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.CallHandlers;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.MessageReader;
import dev.kvorum.node.replica.MessageWriter;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Mono;

/** Serves this member to the others, on behalf of those who change the members. Any thread. */
public final class MemberOperations {
    /** How many partitions one answer about sizes covers: so it fits into a frame's body, however many there are. */
    static final int SIZES_MAX = 4096;

    private static final byte[] NOTHING = {};

    private final String self;
    private final LocalMember member;
    private final TopologyExchange exchange;

    public MemberOperations(String self, LocalMember member, TopologyExchange exchange) {
        this.self = self;
        this.member = member;
        this.exchange = exchange;
    }

    /** Answers these calls from now on. */
    public void serve(CallHandlers handlers) {
        handlers.on(
                PeerOperation.MEMBER_REPORT,
                (body, epoch) -> done(member.report().map(MemberReportJson::write)));
        handlers.on(PeerOperation.MEMBER_SIZES, (body, epoch) -> {
            int first = MessageReader.read(body, MemberOperations::partition);
            return done(member.sizes().map(sizes -> MemberReportJson.write(part(sizes, first))));
        });
        handlers.on(PeerOperation.MEMBER_PUBLISH, (body, epoch) -> done(exchange.propose(body)));
        handlers.on(PeerOperation.MEMBER_SETTLE, (body, epoch) -> settle(body));
    }

    private Mono<CallReply> settle(byte[] body) {
        try {
            var settled = ControlJson.readSettled(body);
            return Mono.fromSupplier(() -> member.settle(settled)
                    .<CallReply>map(reason -> failure(Reason.REFUSED, reason))
                    .orElse(new CallReply.Done(NOTHING)));
        } catch (IllegalArgumentException e) {
            throw new MalformedCallException(String.valueOf(e.getMessage()));
        }
    }

    private Mono<CallReply> done(Mono<byte[]> answer) {
        return answer.<CallReply>map(CallReply.Done::new).onErrorResume(e -> Mono.just(failure(e)));
    }

    private ReplicaFailure failure(Throwable e) {
        return switch (e) {
            case RefusedTopologyException refused -> failure(Reason.REFUSED, String.valueOf(e.getMessage()));
            case InvalidTopologyException invalid -> failure(Reason.REFUSED, String.valueOf(e.getMessage()));
            case RejectedExecutionException full -> failure(Reason.OVERLOADED, "it has too much to do");
            default -> failure(Reason.BROKEN, LocalReplica.inWords(e));
        };
    }

    private ReplicaFailure failure(Reason reason, String detail) {
        return new ReplicaFailure(self, reason, detail);
    }

    /** The sizes of the partitions from that one on. */
    private static PartitionSizes part(PartitionSizes sizes, int first) {
        int from = Math.min(first, sizes.bytes().length);
        int to = Math.min(from + SIZES_MAX, sizes.bytes().length);
        return new PartitionSizes(
                Arrays.copyOfRange(sizes.bytes(), from, to), Arrays.copyOfRange(sizes.cells(), from, to));
    }

    static byte[] encodePartition(int partition) {
        return new MessageWriter(Integer.BYTES).putInt(partition).toBytes();
    }

    private static int partition(MessageReader in) {
        int partition = in.intNumber();
        if (partition < 0) {
            throw new MalformedCallException(partition + " is not the number of a partition");
        }
        return partition;
    }
}
