package dev.kvorum.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.kubernetes.ManagedCluster;
import dev.kvorum.e2e.kubernetes.ScenarioCluster;
import dev.kvorum.e2e.kubernetes.StoredKeys;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The members change while clients go on. */
class ScalingE2E {
    private static final int KEYS = 300;

    @RegisterExtension
    final ScenarioCluster scenario =
            ScenarioCluster.of("{storage: {size: 1Gi, retention: Delete}, resources: {limits: {memory: 512Mi}}}");

    @Test
    void noRequestFailsAndNoWriteIsLostWhileScalingOutAndInAgain() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.scale(5);
            cluster.awaitReady();
            assertThat(cluster.members()).hasSize(5);
            keys.assertAllThere();
            traffic.awaitMore(100);

            cluster.scale(3);
            cluster.awaitReady();
            traffic.awaitMore(100);
            tally = traffic.stop();
        }

        cluster.await(
                "former members and their volumes are gone",
                () -> cluster.pods().size() == 3 && cluster.claims().size() == 3);
        assertThat(cluster.members()).containsExactly("demo-0", "demo-1", "demo-2");
        keys.assertAllThere();
        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
    }

    @Test
    void aScalingIsCancelledHalfWayByAskingForWhatThereWas() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.scale(5);
            cluster.await("the change has begun", () -> cluster.events().contains("ScalingBegun"));
            cluster.scale(3);
            cluster.awaitReady();
            traffic.awaitMore(100);
        }

        cluster.await("the new pods are gone", () -> cluster.pods().size() == 3);
        assertThat(cluster.members()).containsExactly("demo-0", "demo-1", "demo-2");
        assertThat(cluster.events()).contains("ScalingCancelled");
        keys.assertAllThere();
    }

    @Test
    void aScalingGoesOnWhereverTheOperatorIsKilled() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);
        Set<String> killedAt = new HashSet<>();

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.scale(4);
            cluster.await("the fourth is a member", () -> {
                String step = cluster.status().path("change").path("step").asText() + " of epoch "
                        + cluster.status().path("epoch").asLong();
                if (killedAt.add(step)) {
                    scenario.operator().kill();
                }
                return cluster.is("Ready", "True", reason -> true)
                        && cluster.members().size() == 4;
            });
            traffic.awaitMore(100);
        }

        assertThat(killedAt).hasSizeGreaterThan(3);
        keys.assertAllThere();
    }

    private static TrafficPlan plan() {
        return TrafficPlan.calm("during-", Quorum.MAJORITY_OF_3).withRate(50).withClients(4);
    }
}
