package dev.kvorum.node.boot;

import dev.kvorum.node.copy.RepairProtocol;
import dev.kvorum.node.core.Witnesses;
import dev.kvorum.node.heartbeat.HeartbeatBody;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerInquiry;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReportJson;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Asks the other members before this node has opened its database and its ports, over connections that are gone afterwards. Blocks for some seconds at most. */
final class PeerWitnesses implements Witnesses {
    private static final byte[] NOTHING = {};

    private final Supplier<PeerInquiry> inquiries;

    PeerWitnesses(Supplier<PeerInquiry> inquiries) {
        this.inquiries = inquiries;
    }

    @Override
    public List<MemberLife> lives(ClusterView view) {
        return ask(view, PeerOperation.REPAIR_LIFE, RepairProtocol::decodeLife);
    }

    @Override
    public List<Progress> progress(ClusterView view, UUID incarnation) {
        byte[] question = HeartbeatBody.encode(new HeartbeatBody.Told(view.self(), Progress.none(incarnation)));
        return ask(
                view,
                PeerOperation.HEARTBEAT,
                question,
                body -> HeartbeatBody.decodeAnswer(body, incarnation).remembered());
    }

    @Override
    public List<Topology> topologies(ClusterView view) {
        return ask(view, PeerOperation.TOPOLOGY, TopologyJson::read);
    }

    @Override
    public List<MemberReport> reports(ClusterView view) {
        return ask(view, PeerOperation.MEMBER_REPORT, MemberReportJson::readReport);
    }

    private <T> List<T> ask(ClusterView view, PeerOperation operation, Function<byte[], T> read) {
        return ask(view, operation, NOTHING, read);
    }

    private <T> List<T> ask(ClusterView view, PeerOperation operation, byte[] question, Function<byte[], T> read) {
        try (PeerInquiry inquiry = inquiries.get()) {
            return Flux.fromIterable(view.peers())
                    .flatMap(
                            member -> inquiry.call(member.id(), member.peer(), operation, view.epoch(), question)
                                    .flatMap(reply -> Mono.justOrEmpty(read(reply, read))),
                            Math.max(1, view.peers().size()))
                    .collectList()
                    .blockOptional()
                    .orElse(List.of());
        }
    }

    private static <T> Optional<T> read(CallReply reply, Function<byte[], T> read) {
        try {
            return switch (reply) {
                case CallReply.Done done -> Optional.of(read.apply(done.body()));
                case ReplicaFailure failure -> Optional.empty();
            };
        } catch (MalformedCallException | InvalidTopologyException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
