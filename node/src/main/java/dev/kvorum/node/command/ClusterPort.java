package dev.kvorum.node.command;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The peers' ports of all members of a cluster, found by any one of them. Asks all at the same time; blocks. */
final class ClusterPort implements AutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(2);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .build();
    private final URI first;
    private List<URI> known = List.of();

    ClusterPort(URI first) {
        this.first = first;
    }

    private PeerPort port(URI address) {
        return new PeerPort(client, address);
    }

    /**
     * Asks all members, and others besides.
     *
     * @throws PeerPortException if nobody answers
     */
    Observation observe(Collection<Member> others) {
        Topology newest = newest();
        List<Member> members = new ArrayList<>(newest.members());
        others.stream().filter(other -> newest.member(other.id()).isEmpty()).forEach(members::add);
        known = newest.members().stream().map(Member::peer).toList();
        return new Observation(newest, ask(members, PeerPort::report));
    }

    /** One that is newer may name members that the older did not: they are asked as well. */
    private Topology newest() {
        Topology newest = firstTopology();
        while (true) {
            Topology present = newest;
            Topology newer = ask(present.members(), PeerPort::topology).values().stream()
                    .max(Comparator.comparingLong(Topology::epoch))
                    .filter(topology -> topology.epoch() > present.epoch())
                    .orElse(present);
            if (newer.equals(present)) {
                return present;
            }
            newest = newer;
        }
    }

    private Topology firstTopology() {
        List<URI> addresses = new ArrayList<>(List.of(first));
        addresses.addAll(known);
        PeerPortException failure = null;
        for (URI address : addresses) {
            try {
                return port(address).topology();
            } catch (PeerPortException e) {
                failure = failure == null ? e : failure;
            }
        }
        throw failure == null ? new PeerPortException("nobody answers", 0) : failure;
    }

    Map<String, PartitionSizes> sizes(Topology topology) {
        return ask(topology.members(), PeerPort::sizes);
    }

    /** What those answer who do. */
    private <T> Map<String, T> ask(Collection<Member> members, Function<PeerPort, T> question) {
        Map<String, T> answers = new ConcurrentHashMap<>();
        List<Thread> asking = members.stream()
                .map(member -> Thread.ofVirtual().start(() -> {
                    try {
                        answers.put(member.id(), question.apply(port(member.peer())));
                    } catch (PeerPortException e) {
                        // It does not answer: what is missing says so.
                    }
                }))
                .toList();
        asking.forEach(ClusterPort::join);
        return new HashMap<>(answers);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerPortException("interrupted", 0);
        }
    }

    /**
     * Publishes the topology that follows the present one: to one member first, the same for all who publish, so that of two who do at the same time one is refused;
     * then to the others, who would learn it from each other as well.
     *
     * @throws PeerPortException if that one refuses it, or can't be asked; then nobody has got it
     */
    void publish(Topology present, Topology next, Set<String> gone) {
        Member first = present.currentOwners().stream()
                .filter(member -> !gone.contains(member.id()))
                .min(Comparator.comparing(Member::id))
                .orElseThrow(() -> new PeerPortException("all members are said to be gone", 0));
        send(List.of(first), present); // Only what follows at once can be published to it.
        port(first.peer()).publish(next);
        List<Member> others = new ArrayList<>(next.members());
        present.members().stream()
                .filter(member -> next.member(member.id()).isEmpty())
                .forEach(others::add);
        send(others, next);
    }

    /** Sends members a topology that another goes by. Whoever does not answer learns it from others. */
    void send(Collection<Member> members, Topology topology) {
        var _ = ask(members, port -> {
            port.bringTo(topology);
            return true;
        });
    }

    /** Tells members that all but those who are gone go by that epoch. Who does not answer is told again. */
    void settle(Collection<Member> members, long epoch, Set<String> gone) {
        var _ = ask(members, port -> {
            port.settle(epoch, gone);
            return true;
        });
    }

    /** What a node reports that may not be a member any more; empty if it does not answer. */
    Optional<MemberReport> report(Member member) {
        return Optional.ofNullable(ask(List.of(member), PeerPort::report).get(member.id()));
    }

    @Override
    public void close() {
        client.shutdownNow(); // Nothing is under way that somebody waits for.
    }
}
