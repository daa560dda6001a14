package dev.kvorum.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.kubernetes.Kubernetes;
import dev.kvorum.e2e.kubernetes.ManagedCluster;
import dev.kvorum.e2e.kubernetes.OperatorRelease;
import dev.kvorum.e2e.kubernetes.ScenarioCluster;
import dev.kvorum.e2e.kubernetes.StoredKeys;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** The spec of pods changes, or the operator itself, while clients go on. */
@ResourceLock(value = Kubernetes.MACHINES, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class UpdateE2E {
    private static final int KEYS = 100;
    private static final String SPEC = "storage: {size: 1Gi, retention: Delete}, resources: {limits: {memory: 512Mi}}";

    @RegisterExtension
    final ScenarioCluster scenario = ScenarioCluster.of("{" + SPEC + "}");

    @Test
    void noRequestFailsWhileAllPodsAreReplaced() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.apply("{" + SPEC + ", pod: {annotations: {update: second}}}");
            cluster.awaitReady();
            traffic.awaitMore(50);
            tally = traffic.stop();
        }

        assertThat(cluster.pods().values())
                .allMatch(pod ->
                        "second".equals(pod.getMetadata().getAnnotations().get("update")));
        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        keys.assertAllThere();
    }

    @Test
    void aBadImageGetsNoFurtherThanTheFirstPodAndACorrectedSpecRecovers() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);
        List<String> before = List.of(cluster.lifeOf("demo-0"), cluster.lifeOf("demo-1"));

        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.apply("{" + SPEC + ", image: 'kvorum/node:there-is-none'}");
            cluster.awaitCondition("Degraded", "True", "UpdateStuck");
            traffic.awaitMore(50);
            assertThat(cluster.status().path("lastError").asText()).contains("demo-2");
            cluster.awaitCondition("Available", "True", "Quorum");

            cluster.apply("{" + SPEC + "}");
            cluster.awaitReady();
            tally = traffic.stop();
        }

        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        assertThat(List.of(cluster.lifeOf("demo-0"), cluster.lifeOf("demo-1"))).isEqualTo(before);
        keys.assertAllThere();
    }

    @Test
    @Tag("minutes")
    void largerVolumesAreHadWithoutReplacingAPod() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);
        Map<String, String> before = cluster.lives();

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.apply("{" + SPEC.replace("1Gi", "2Gi") + "}");
            cluster.await(
                    "the volumes are larger",
                    () -> cluster.status().path("volumeSize").asText().equals("2Gi"));
            cluster.awaitReady();
            traffic.awaitMore(50);
        }

        assertThat(cluster.lives()).isEqualTo(before);
        keys.assertAllThere();
    }

    @Test
    @ResourceLock(OperatorRelease.LOCK)
    void anUpgradeOfTheOperatorReplacesNoPod() {
        ManagedCluster cluster = scenario.get();
        Map<String, String> before = cluster.lives();

        scenario.operator().upgrade("pod.annotations.upgrade=" + cluster.namespace());
        cluster.apply("{" + SPEC + ", scaling: {approval: Manual}}");
        cluster.awaitReady();

        assertThat(cluster.lives()).isEqualTo(before);
    }

    private static TrafficPlan plan() {
        return TrafficPlan.calm("during-", Quorum.MAJORITY_OF_3).withRate(50).withClients(4);
    }
}
