package dev.kvorum.node.replica;

import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.topology.Member;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.WebClient;

/** The replica of each member of the current topology. Any thread. */
public final class Replicas {
    private final Map<String, Replica> byMember = new ConcurrentHashMap<>();
    private final LocalReplica local;
    private final WebClient client;
    private final PeerSettings settings;
    private final int answerMax;
    private final ReplicaMetrics metrics;

    /** @param answerMax longest answer of a remote replica, in bytes */
    public Replicas(
            LocalReplica local, PeerTransport transport, PeerSettings settings, int answerMax, ReplicaMetrics metrics) {
        this.local = local;
        this.client = transport.client();
        this.settings = settings;
        this.answerMax = answerMax;
        this.metrics = metrics;
    }

    /** The replica on that member, made on the spot for one that the latest topology does not name any more. */
    public Replica on(Member member) {
        Replica known = byMember.get(member.id());
        return known != null ? known : byMember.computeIfAbsent(member.id(), id -> make(member));
    }

    /** Replicas for exactly these members. Those that stay where they were keep their state. */
    public void become(List<Member> members) {
        members.forEach(
                member -> byMember.compute(member.id(), (id, known) -> isAt(known, member) ? known : make(member)));
        byMember.keySet().retainAll(members.stream().map(Member::id).collect(Collectors.toSet()));
    }

    private boolean isAt(@Nullable Replica known, Member member) {
        return known instanceof RemoteReplica remote ? remote.address().equals(member.peer()) : known != null;
    }

    private Replica make(Member member) {
        return member.id().equals(local.member())
                ? local
                : new RemoteReplica(member, client, settings, answerMax, metrics);
    }
}
