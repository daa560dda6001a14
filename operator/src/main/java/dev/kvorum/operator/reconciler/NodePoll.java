package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.operator.decision.Observed;
import dev.kvorum.operator.decision.Observed.Answers;
import dev.kvorum.operator.decision.Observed.Published;
import dev.kvorum.operator.node.ClusterNodes;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks all nodes of a cluster at once, each on a virtual thread of its own: it takes as long as the slowest, which is bounded. */
final class NodePoll {
    private static final Logger LOG = LoggerFactory.getLogger(NodePoll.class);

    private final ClusterNodes nodes;

    NodePoll(ClusterNodes nodes) {
        this.nodes = nodes;
    }

    /** The same observations, and what nodes say. */
    Observed complete(Observed observed) {
        List<Member> members = running(observed);
        Map<String, MemberReport> reports = ask(members, member -> ofItself(observed.name(), member));
        Topology newest = newest(observed, members, reports);
        Published published = observed.published();
        boolean plans = published != null && needsPlan(observed, published.topology());
        Map<String, PartitionSizes> sizes = plans ? ask(members, nodes::sizes) : Map.of();
        return observed.with(new Answers(reports, newest, sizes));
    }

    /** Addresses are given to others in time: who answers may be another node, or of another cluster. */
    private Optional<MemberReport> ofItself(ClusterName name, Member member) {
        Optional<MemberReport> report = nodes.report(member);
        report.filter(answer -> !isOf(name, member, answer))
                .ifPresent(answer -> LOG.warn(
                        "{} answers under the address of {} of {}: it is not listened to",
                        answer.member() + " of " + answer.cluster(),
                        member.id(),
                        name.identity()));
        return report.filter(answer -> isOf(name, member, answer));
    }

    private static boolean isOf(ClusterName name, Member member, MemberReport report) {
        return report.member().equals(member.id()) && name.identity().equals(report.cluster());
    }

    private @Nullable Topology newest(Observed observed, List<Member> members, Map<String, MemberReport> reports) {
        long epoch = observed.published() == null
                ? 0
                : observed.published().topology().epoch();
        List<Member> ahead = members.stream()
                .filter(member -> reports.containsKey(member.id())
                        && reports.get(member.id()).epoch() > epoch)
                .toList();
        return ask(ahead, nodes::topology).values().stream()
                .max(Comparator.comparingLong(Topology::epoch))
                .orElse(null);
    }

    /** What the nodes hold costs them a look at their files: not each time. */
    private static boolean needsPlan(Observed observed, Topology topology) {
        List<String> asked = Seat.of(observed.spec()).stream()
                .map(observed.name()::member)
                .sorted()
                .toList();
        return topology.isChanging()
                || !asked.equals(
                        topology.members().stream().map(Member::id).sorted().toList());
    }

    /** Those that have a pod, members or not. */
    private static List<Member> running(Observed observed) {
        ClusterName name = observed.name();
        Set<String> zones = observed.zones();
        return observed.pods().entrySet().stream()
                .filter(pod -> !pod.getValue().ended())
                .map(pod -> name.memberOf(pod.getKey(), zones))
                .toList();
    }

    private static <T> Map<String, T> ask(List<Member> members, Function<Member, Optional<T>> question) {
        Map<String, T> answers = new ConcurrentHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Member member : members) {
                threads.execute(() -> question.apply(member).ifPresent(answer -> answers.put(member.id(), answer)));
            }
        }
        return Map.copyOf(answers);
    }
}
