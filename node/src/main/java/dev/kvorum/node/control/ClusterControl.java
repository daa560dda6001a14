package dev.kvorum.node.control;

import dev.kvorum.control.ClusterReport;
import dev.kvorum.control.ControlJson;
import dev.kvorum.control.Peer;
import dev.kvorum.control.Settled;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks and tells all members of the cluster, on behalf of a command that knows one node. All members are asked at the same time, this one among them. One that does
 * not answer is missing in what it reports, and learns a topology from others later. Any thread; nothing blocks the caller.
 */
public final class ClusterControl {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterControl.class);
    private static final int INQUIRIES_MAX = 2;
    private static final byte[] NOTHING = {};

    private final Membership membership;
    private final TopologyExchange exchange;
    private final Supplier<Inquiry> inquiries;
    private final AtomicInteger running = new AtomicInteger();

    /** @param inquiries begins one for each request; it is closed afterwards */
    public ClusterControl(Membership membership, TopologyExchange exchange, Supplier<Inquiry> inquiries) {
        this.membership = membership;
        this.exchange = exchange;
        this.inquiries = inquiries;
    }

    /** A few at a time: each opens connections to all members. */
    private <T> Mono<T> inquire(Function<Inquiry, Mono<T>> question) {
        return Mono.defer(() -> {
            if (running.incrementAndGet() > INQUIRIES_MAX) {
                running.decrementAndGet();
                return Mono.error(new RejectedExecutionException("too many ask all members"));
            }
            return Mono.using(inquiries::get, question, Inquiry::close).doFinally(end -> running.decrementAndGet());
        });
    }

    /**
     * What all members say of themselves. Those behind the newest topology get it, and so does this node.
     *
     * @param others nodes that are asked as well; they may belong to another cluster, and are told nothing
     * @param former members that have left: they are asked as well, and get the newest topology
     */
    public Mono<ClusterReport> observe(Collection<Peer> others, Collection<Peer> former) {
        return inquire(inquiry -> newest(inquiry, present()).flatMap(newest -> {
            List<Peer> ours = new ArrayList<>(peers(newest.members()));
            addUnnamed(ours, former);
            List<Peer> peers = new ArrayList<>(ours);
            addUnnamed(peers, others);
            Map<String, String> silent = new ConcurrentSkipListMap<>();
            return ask(
                            peers,
                            peer -> ask(
                                    inquiry,
                                    peer,
                                    PeerOperation.MEMBER_REPORT,
                                    NOTHING,
                                    MemberReportJson::readReport,
                                    why -> silent.put(peer.id(), why)))
                    .flatMap(reports -> catchUp(inquiry, ours, reports, newest)
                            .thenReturn(new ClusterReport(newest, reports, silent)));
        }));
    }

    private static void addUnnamed(List<Peer> peers, Collection<Peer> more) {
        Set<String> named = peers.stream().map(Peer::id).collect(Collectors.toSet());
        more.stream().filter(peer -> !named.contains(peer.id())).forEach(peers::add);
    }

    private Topology present() {
        return membership.view().topology();
    }

    /** A newer topology may name members that the older does not: they are asked as well. */
    private Mono<Topology> newest(Inquiry inquiry, Topology known) {
        return ask(inquiry, peers(known.members()), PeerOperation.TOPOLOGY, NOTHING, TopologyJson::read)
                .flatMap(told -> told.values().stream()
                        .max(Comparator.comparingLong(Topology::epoch))
                        .filter(newest -> newest.epoch() > known.epoch())
                        .map(newest -> adopt(newest).then(newest(inquiry, newest)))
                        .orElse(Mono.just(known)));
    }

    private Mono<Void> adopt(Topology newest) {
        return exchange.answer(TopologyJson.write(newest))
                .onErrorResume(e -> {
                    LOG.warn("Epoch {} of other members can't be adopted here: {}", newest.epoch(), e.toString());
                    return Mono.empty();
                })
                .then();
    }

    private Mono<Void> catchUp(Inquiry inquiry, List<Peer> peers, Map<String, MemberReport> reports, Topology newest) {
        List<Peer> behind = peers.stream()
                .filter(peer -> Optional.ofNullable(reports.get(peer.id()))
                        .filter(report -> report.epoch() < newest.epoch())
                        .isPresent())
                .toList();
        return send(inquiry, behind, newest);
    }

    /** How much each member holds, by id. */
    public Mono<Map<String, PartitionSizes>> sizes() {
        return inquire(inquiry -> newest(inquiry, present())
                .flatMapMany(newest -> Flux.fromIterable(peers(newest.members()))
                        .flatMap(peer -> sizes(inquiry, peer, newest.partitions())))
                .collectMap(Sizes::member, Sizes::sizes));
    }

    private record Sizes(String member, PartitionSizes sizes) {}

    /** Empty if it does not answer all of it. */
    private Mono<Sizes> sizes(Inquiry inquiry, Peer peer, int partitions) {
        int parts = Math.ceilDiv(partitions, MemberOperations.SIZES_MAX);
        return Flux.range(0, parts)
                .concatMap(part -> ask(
                        inquiry,
                        peer,
                        PeerOperation.MEMBER_SIZES,
                        MemberOperations.encodePartition(part * MemberOperations.SIZES_MAX),
                        MemberReportJson::readSizes))
                .collectList()
                .filter(told -> told.size() == parts)
                .map(told -> new Sizes(peer.id(), joined(told)));
    }

    private static PartitionSizes joined(List<PartitionSizes> parts) {
        return new PartitionSizes(
                parts.stream()
                        .map(PartitionSizes::bytes)
                        .flatMapToLong(Arrays::stream)
                        .toArray(),
                parts.stream()
                        .map(PartitionSizes::cells)
                        .flatMapToLong(Arrays::stream)
                        .toArray());
    }

    /**
     * Publishes the topology that follows the newest one. The first member to get it is the same, whichever node is asked: of two topologies that are published at the
     * same time, that member refuses one. Then the others get it; they would learn it from each other as well.
     *
     * @param gone ids of members that are not asked
     * @return completes when it is published; an {@link UnpublishedException} if the first member refuses it, or it is not known whether it has taken it
     */
    public Mono<Void> publish(Topology next, Set<String> gone) {
        return inquire(inquiry -> newest(inquiry, present())
                .flatMap(newest -> newest.currentOwners().stream()
                        .filter(member -> !gone.contains(member.id()))
                        .min(Comparator.comparing(Member::id))
                        .map(first -> publish(inquiry, Peer.of(first), newest, next))
                        .orElseGet(
                                () -> Mono.error(new UnpublishedException("all members are said to be gone", true)))));
    }

    private Mono<Void> publish(Inquiry inquiry, Peer first, Topology newest, Topology next) {
        List<Peer> others = Stream.concat(next.members().stream(), newest.members().stream())
                .map(Peer::of)
                .filter(peer -> !peer.equals(first))
                .distinct()
                .toList();
        return send(inquiry, List.of(first), newest) // Only the topology that follows at once can be published to it.
                .then(Mono.defer(() -> call(inquiry, first, PeerOperation.MEMBER_PUBLISH, TopologyJson.write(next))))
                .flatMap(reply -> switch (reply) {
                    case CallReply.Done done -> send(inquiry, others, next);
                    case ReplicaFailure failure -> Mono.error(UnpublishedException.of(failure, next.epoch()));
                });
    }

    /** A node that does not answer learns it from others. */
    private Mono<Void> send(Inquiry inquiry, Collection<Peer> peers, Topology topology) {
        return ask(inquiry, peers, PeerOperation.TOPOLOGY, TopologyJson.write(topology), Function.identity())
                .then();
    }

    /**
     * Lets members pull data. One that does not answer has to be told again.
     *
     * @return completes when all have been told; an {@link UnpublishedException} with the reason if one refuses
     */
    public Mono<Void> settle(Settled settled, Set<String> members) {
        List<Peer> peers = peers(present().members()).stream()
                .filter(peer -> members.contains(peer.id()))
                .toList();
        byte[] body = ControlJson.write(settled);
        return inquire(inquiry -> Flux.fromIterable(peers)
                .flatMap(peer -> call(inquiry, peer, PeerOperation.MEMBER_SETTLE, body), Math.max(1, peers.size()))
                .ofType(ReplicaFailure.class)
                .filter(failure -> failure.reason() == Reason.REFUSED)
                .collectList()
                .flatMap(refusals -> refusals.isEmpty()
                        ? Mono.empty()
                        : Mono.error(new UnpublishedException(
                                refusals.getFirst().member() + ": "
                                        + refusals.getFirst().detail(),
                                true))));
    }

    private static List<Peer> peers(Collection<Member> members) {
        return members.stream().map(Peer::of).toList();
    }

    /** The answers of those that answer, by id. */
    private <T> Mono<Map<String, T>> ask(
            Inquiry inquiry, Collection<Peer> peers, PeerOperation operation, byte[] body, Function<byte[], T> read) {
        return ask(peers, peer -> ask(inquiry, peer, operation, body, read));
    }

    private static <T> Mono<Map<String, T>> ask(Collection<Peer> peers, Function<Peer, Mono<T>> question) {
        return Flux.fromIterable(peers)
                .flatMap(
                        peer -> question.apply(peer).map(answer -> Map.entry(peer.id(), answer)),
                        Math.max(1, peers.size()))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Its answer; empty if it does not answer, or not what a node does. */
    private <T> Mono<T> ask(
            Inquiry inquiry, Peer peer, PeerOperation operation, byte[] body, Function<byte[], T> read) {
        return ask(inquiry, peer, operation, body, read, why -> {});
    }

    /** @param silent hears why there is no answer, in words */
    private <T> Mono<T> ask(
            Inquiry inquiry,
            Peer peer,
            PeerOperation operation,
            byte[] body,
            Function<byte[], T> read,
            Consumer<String> silent) {
        return call(inquiry, peer, operation, body)
                .flatMap(reply -> switch (reply) {
                    case CallReply.Done done -> Mono.fromSupplier(() -> read.apply(done.body()));
                    case ReplicaFailure failure -> {
                        silent.accept(failure.detail());
                        yield ClusterControl.<T>unanswered(peer, failure);
                    }
                })
                .onErrorResume(e -> {
                    boolean malformed = e instanceof InvalidTopologyException || e instanceof IllegalArgumentException;
                    if (malformed) {
                        LOG.warn("{} at {} did not answer as a node does: {}", peer.id(), peer.peer(), e.getMessage());
                        silent.accept("it does not answer as a node does: " + e.getMessage());
                    }
                    return malformed ? Mono.empty() : Mono.error(e);
                });
    }

    private static <T> Mono<T> unanswered(Peer peer, ReplicaFailure failure) {
        LOG.info("{} at {} does not answer: {}", peer.id(), peer.peer(), failure.detail());
        return Mono.empty();
    }

    private Mono<CallReply> call(Inquiry inquiry, Peer peer, PeerOperation operation, byte[] body) {
        return inquiry.call(peer, operation, membership.view().epoch(), body);
    }
}
