package dev.kvorum.e2e.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.kubernetes.Kubernetes;
import dev.kvorum.e2e.kubernetes.ManagedCluster;
import dev.kvorum.e2e.kubernetes.ScenarioCluster;
import dev.kvorum.e2e.kubernetes.StoredKeys;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/** Pods, volumes and machines are lost while clients go on, one at a time. */
@ResourceLock(value = Kubernetes.MACHINES, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class LossE2E {
    private static final int KEYS = 300;

    @RegisterExtension
    final ScenarioCluster scenario = ScenarioCluster.of(
            "{partitions: 256, storage: {size: 1Gi, retention: Delete}, resources: {limits: {memory: 512Mi}}}");

    @Test
    void aKilledPodComesBackWithItsVolumeAndNoRequestFails() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);
        String volume = cluster.uidOfClaim("data-demo-1");

        Tally tally;
        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            traffic.awaitMore(100);
            replace(cluster, "demo-1");
            traffic.awaitMore(100);
            tally = traffic.stop();
        }

        assertThat(cluster.uidOfClaim("data-demo-1")).isEqualTo(volume);
        assertThat(tally.failed()).as("%s, %s", tally, tally.failures()).isZero();
        keys.assertAllThere();
    }

    private static void replace(ManagedCluster cluster, String pod) {
        String before = cluster.lifeOf(pod);
        cluster.deletePod(pod, 0);
        cluster.await("there is another " + pod, () -> !List.of(before, "").contains(cluster.lifeOf(pod)));
        cluster.awaitReady();
    }

    @Test
    void nothingIsLostWhereEveryVolumeIsLostInTurn() {
        ManagedCluster cluster = scenario.get();
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            for (String claim : cluster.claims().keySet()) {
                String before = cluster.uidOfClaim(claim);
                cluster.deleteClaim(claim);
                cluster.await(
                        "there is another " + claim, () -> !List.of(before, "").contains(cluster.uidOfClaim(claim)));
                cluster.awaitReady();
                traffic.awaitMore(50);
            }
        }

        keys.assertAllThere();
    }

    @Test
    @Tag("minutes")
    @ResourceLock(Kubernetes.MACHINES)
    void thePodOfALostMachineGoesElsewhereWithItsVolume() {
        ManagedCluster cluster = scenario.get();
        String machine = cluster.machineOf("demo-1");
        assumeTrue(Kubernetes.hasMachinesHere(machine), "The machines of this Kubernetes can't be killed from here");
        String before = cluster.lifeOf("demo-1");
        StoredKeys keys = StoredKeys.in(cluster, KEYS);

        try (Traffic traffic = Traffic.start(cluster.recorder(), plan(), cluster::endpoints)) {
            try (Kubernetes.LostMachine lost = Kubernetes.killMachine(machine)) {
                cluster.await(
                        "the loss is noticed",
                        () -> !Kubernetes.isReady(machine) && cluster.is("Ready", "False", reason -> true));
                lost.declareLost();
                cluster.await(
                        "there is another demo-1", () -> !List.of(before, "").contains(cluster.lifeOf("demo-1")));
                cluster.awaitReady();
            }
            traffic.awaitMore(50);
        }

        assertThat(cluster.machineOf("demo-1")).isNotEqualTo(machine);
        keys.assertAllThere();
    }

    private static TrafficPlan plan() {
        return TrafficPlan.calm("during-", Quorum.MAJORITY_OF_3).withRate(50).withClients(4);
    }
}
