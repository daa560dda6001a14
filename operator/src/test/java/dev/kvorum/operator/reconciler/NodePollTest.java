package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Specs;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.operator.decision.Observed;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.operator.node.ClusterNodes;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is listened to. */
class NodePollTest {
    @Test
    void aNodeThatAnswersForItselfIsListenedTo() {
        assertThat(reports("demo-0", "shop/demo")).containsOnlyKeys("demo-0");
    }

    /** The address of a pod that has gone may be another's before everybody knows that. */
    @ParameterizedTest
    @CsvSource({"demo-1, shop/demo", "demo-0, shop/other", "demo-0, garden/demo"})
    void whoeverElseAnswersUnderTheAddressOfAMemberIsNot(String member, String cluster) {
        assertThat(reports(member, cluster)).isEmpty();
    }

    /** The StatefulSet of a zone is away for a moment when it is made anew. */
    @Test
    void aNodeIsAskedThoughItsStatefulSetIsAway() {
        Observed zoned = observed(
                "{zones: [a], replicas: 1, replicationFactor: 1}",
                Map.of(),
                new ClusterName("shop", "demo", true),
                "demo-a-0");

        assertThat(new NodePoll(new OneNode(report("demo-a-0", "shop/demo")))
                        .complete(zoned)
                        .reports())
                .containsOnlyKeys("demo-a-0");
    }

    private static Map<String, MemberReport> reports(String member, String cluster) {
        return new NodePoll(new OneNode(report(member, cluster)))
                .complete(observed(
                        "{}",
                        Map.of(Seat.NO_ZONE, new SetState(1, true, false, "r1", "10Gi", true, "1")),
                        new ClusterName("shop", "demo", false),
                        "demo-0"))
                .reports();
    }

    private static MemberReport report(String member, String cluster) {
        return new MemberReport(
                new MemberReport.Identity(member, cluster, 16, new UUID(1, 2)),
                new MemberReport.Standing(1, "", true, 0),
                new MemberReport.Transfer(Set.of(), 0, 0, 0, 0, 0, 1, ""),
                new MemberReport.Former(0, 0, ""),
                new MemberReport.Disk(1, 1),
                new MemberReport.Past(0, 1));
    }

    private static Observed observed(String spec, Map<String, SetState> sets, ClusterName name, String pod) {
        return new Observed(
                new Observed.Desired(name, Specs.spec(spec), null, Set.of(), null),
                new Observed.Resources(
                        null,
                        false,
                        sets,
                        Map.of(pod, new PodState("uid", "r1", true, false, true, false, null)),
                        Map.of(),
                        Map.of(),
                        Set.of()),
                Observed.Answers.none());
    }

    /** It answers under every address, and has no topology. */
    private record OneNode(MemberReport answer) implements ClusterNodes {
        @Override
        public Optional<MemberReport> report(Member member) {
            return Optional.of(answer);
        }

        @Override
        public Optional<Topology> topology(Member member) {
            return Optional.empty();
        }

        @Override
        public Optional<PartitionSizes> sizes(Member member) {
            return Optional.empty();
        }

        @Override
        public Answer push(Member member, Topology topology) {
            return new Answer.Unreachable("it is not asked");
        }

        @Override
        public Answer settle(Member member, long epoch, List<String> gone) {
            return new Answer.Unreachable("it is not asked");
        }
    }
}
