package dev.kvorum.operator.dependents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Specs;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who reaches which port of a node. */
class PeerPolicyTest {
    private static final ClusterName DEMO = new ClusterName("shop", "demo", false);
    private static final String PROMETHEUS =
            "monitoring: {from: [{namespaceSelector: {matchLabels: {team: monitoring}}}, {ipBlock: {cidr: 10.9.0.0/16}}]}";

    @Test
    void everybodyReachesTheApi() {
        assertThat(rules("", Optional.of("system"), ClusterName.API_PORT))
                .singleElement()
                .satisfies(rule -> assertThat(rule.getFrom()).isEmpty());
    }

    @Test
    void onlyMembersReachThePeersPort() {
        assertThat(peers(PROMETHEUS, Optional.of("system"), ClusterName.PEER_PORT))
                .satisfiesExactly(members -> {
                    assertThat(members.getNamespaceSelector()).isNull();
                    assertThat(members.getPodSelector().getMatchLabels()).isEqualTo(Labels.selecting(DEMO));
                });
    }

    @Test
    void onlyTheOperatorReachesTheManagementPort() {
        assertThat(peers("", Optional.of("system"), ClusterName.MANAGEMENT_PORT))
                .satisfiesExactly(PeerPolicyTest::isOperator);
    }

    @Test
    void namedPeersReachTheManagementPortByAPolicyOfTheirOwn() {
        assertThat(MonitoringPolicy.of(cluster(PROMETHEUS), DEMO).getSpec().getIngress())
                .singleElement()
                .satisfies(rule -> {
                    assertThat(rule.getPorts())
                            .singleElement()
                            .satisfies(open ->
                                    assertThat(open.getPort().getIntVal()).isEqualTo(ClusterName.MANAGEMENT_PORT));
                    assertThat(rule.getFrom())
                            .isEqualTo(
                                    cluster(PROMETHEUS).getSpec().monitoring().from());
                });
        assertThat(rules(PROMETHEUS, Optional.of("system"))).isEqualTo(rules("", Optional.of("system")));
    }

    /** A rule without peers would let in everybody. */
    @Test
    void nobodyReachesTheManagementPortWhereTheOperatorRunsOutsideAndNoPeerIsNamed() {
        assertThat(rules("", Optional.empty(), ClusterName.MANAGEMENT_PORT)).isEmpty();
        assertThat(MonitoringPolicy.of(cluster(""), DEMO).getSpec().getIngress())
                .isEmpty();
    }

    @Test
    void everyRuleNamesItsPorts() {
        assertThat(rules(PROMETHEUS, Optional.of("system")))
                .allSatisfy(rule -> assertThat(rule.getPorts()).isNotEmpty());
    }

    private static void isOperator(NetworkPolicyPeer peer) {
        LabelSelector namespace = peer.getNamespaceSelector();
        assertThat(namespace.getMatchLabels()).isEqualTo(Map.of("kubernetes.io/metadata.name", "system"));
        assertThat(peer.getPodSelector().getMatchLabels()).isEqualTo(Map.of(Labels.NAME, Labels.OPERATOR));
    }

    private static List<NetworkPolicyPeer> peers(String spec, Optional<String> home, int port) {
        return rules(spec, home, port).stream()
                .flatMap(rule -> rule.getFrom().stream())
                .toList();
    }

    private static List<NetworkPolicyIngressRule> rules(String spec, Optional<String> home, int port) {
        return rules(spec, home).stream()
                .filter(rule ->
                        rule.getPorts().stream().anyMatch(open -> open.getPort().getIntVal() == port))
                .toList();
    }

    private static List<NetworkPolicyIngressRule> rules(String spec, Optional<String> home) {
        return PeerPolicy.of(cluster(spec), DEMO, home).getSpec().getIngress();
    }

    private static KvorumCluster cluster(String spec) {
        KvorumCluster cluster = new KvorumCluster();
        cluster.getMetadata().setName("demo");
        cluster.setSpec(Specs.spec(spec));
        return cluster;
    }
}
