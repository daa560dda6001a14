package dev.kvorum.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.kubernetes.ClusterWatch;
import dev.kvorum.e2e.kubernetes.Kubernetes;
import dev.kvorum.e2e.kubernetes.ManagedCluster;
import dev.kvorum.e2e.kubernetes.OperatorRelease;
import dev.kvorum.e2e.kubernetes.ScenarioCluster;
import dev.kvorum.e2e.kubernetes.StoredKeys;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** The members change while clients go on. */
@ResourceLock(value = Kubernetes.MACHINES, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class ScalingE2E {
    private static final int KEYS = 300;
    private static final String SPEC = "storage: {size: 1Gi, retention: Delete}, resources: {limits: {memory: 512Mi}}";

    @RegisterExtension
    final ScenarioCluster scenario = ScenarioCluster.of("{" + SPEC + "}");

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
    @Tag("minutes")
    // An operator that is killed may not have told of what it did.
    @ResourceLock(value = OperatorRelease.LOCK, mode = ResourceAccessMode.READ)
    void aScalingIsCancelledHalfWayByAskingForWhatThereWas() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.scale(5);
            awaitBegun(cluster);
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
    // An operator that is killed may not have told of what it did.
    @ResourceLock(value = OperatorRelease.LOCK, mode = ResourceAccessMode.READ)
    void aScalingIsCancelledWhenHalfOfItHasBeenMoved() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.scale(5);
            cluster.await(
                    "some is verified to have been moved",
                    () -> cluster.status()
                                    .path("change")
                                    .path("transfer")
                                    .path("partitionsVerified")
                                    .asInt()
                            > 0);
            cluster.scale(3);
            cluster.awaitReady();
            traffic.awaitMore(100);
        }

        cluster.await("the new pods are gone", () -> cluster.pods().size() == 3);
        assertThat(cluster.members()).containsExactly("demo-0", "demo-1", "demo-2");
        assertThat(cluster.events()).contains("ScalingCancelled").doesNotContain("ScalingFinished");
        keys.assertAllThere();
    }

    /** In two changes, no two steps of which follow each other: one killed at a step may have taken the next already, and then nobody is there to be killed at that. */
    @Test
    @Tag("minutes")
    @ResourceLock(OperatorRelease.LOCK)
    void aScalingOutGoesOnWhereverTheOperatorIsKilled() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            scaleKilling(4, Set.of("Preparing", "Transferring", "Finishing"));
            scaleKilling(5, Set.of("Beginning", "Switching"));
            traffic.awaitMore(100);
        }

        keys.assertAllThere();
    }

    /** With Delete: a volume that goes too early takes what it holds with it. In two changes, as scaling out. */
    @Test
    @Tag("minutes")
    @ResourceLock(OperatorRelease.LOCK)
    void aScalingInGoesOnWhereverTheOperatorIsKilled() {
        ManagedCluster cluster = scenario.get();
        cluster.scale(5);
        cluster.awaitReady();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            scaleKilling(4, Set.of("Beginning", "Switching"));
            scaleKilling(3, Set.of("Transferring", "Finishing"));
            cluster.await(
                    "the former members and their volumes are gone",
                    () -> cluster.pods().size() == 3 && cluster.claims().size() == 3);
            traffic.awaitMore(100);
        }

        keys.assertAllThere();
    }

    /** The operator that acts is killed once at each of these steps, when the status tells of it. */
    private void scaleKilling(int replicas, Set<String> steps) {
        ManagedCluster cluster = scenario.get();
        OperatorRelease operator = scenario.operator();
        Set<String> killedAt = new HashSet<>();
        try (ClusterWatch _ = cluster.watch(document -> {
            String step = document.path("status").path("change").path("step").asText();
            if (steps.contains(step) && !killedAt.contains(step) && operator.kill()) {
                killedAt.add(step);
            }
        })) {
            cluster.scale(replicas);
            cluster.await(
                    "there are " + replicas + " members",
                    () -> cluster.is("Ready", "True", reason -> true)
                            && cluster.members().size() == replicas);
            cluster.await("an operator acts again", operator::acts);
        }
        assertThat(killedAt).containsExactlyInAnyOrderElementsOf(steps);
    }

    @Test
    @ResourceLock(OperatorRelease.LOCK)
    void theOperatorThatWaitsTakesOverWhenTheOneThatActsIsKilled() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);
        String killed;

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.scale(4);
            awaitBegun(cluster);
            killed = scenario.operator().killLeader();
            assertThat(killed).isNotEmpty();
            cluster.awaitReady();
            traffic.awaitMore(100);
        }

        assertThat(cluster.members()).hasSize(4);
        assertThat(scenario.operator().leader()).isNotEqualTo(killed).isNotEmpty();
        keys.assertAllThere();
    }

    @Test
    @Tag("minutes")
    void aScalingWaitsToBeApprovedAndStandsStillWhileItIsPaused() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            cluster.apply("{" + SPEC + ", replicas: 4, scaling: {approval: Manual}}");
            cluster.awaitCondition("Scaling", "True", "AwaitingApproval");
            assertThat(cluster.pods()).hasSize(3);
            cluster.annotate(
                    "kvorum.dev/approve-scaling",
                    cluster.status().path("change").path("plan").asText());
            awaitBegun(cluster);

            cluster.apply("{" + SPEC + ", replicas: 4, scaling: {approval: Manual}, paused: true}");
            cluster.awaitCondition("Progressing", "False", "Paused");
            long epoch = cluster.status().path("epoch").asLong();
            traffic.awaitMore(500); // Ten seconds, in which it would have gone on.
            assertThat(cluster.status().path("epoch").asLong()).isEqualTo(epoch);
            assertThat(cluster.status().path("change").path("joining").toString())
                    .contains("demo-3");

            cluster.apply("{" + SPEC + ", replicas: 4, scaling: {approval: Manual}}");
            cluster.awaitReady();
        }

        assertThat(cluster.members()).hasSize(4);
        keys.assertAllThere();
    }

    /** By the status: an event is lost where the operator is killed before it could tell, as by a scenario beside this one. */
    private static void awaitBegun(ManagedCluster cluster) {
        cluster.await("the change has begun", () -> {
            String step = cluster.status().path("change").path("step").asText();
            return List.of("Beginning", "Transferring", "Switching", "Cancelling", "Finishing")
                    .contains(step);
        });
    }

    private static TrafficPlan plan() {
        return TrafficPlan.calm("during-", Quorum.MAJORITY_OF_3).withRate(50).withClients(4);
    }
}
