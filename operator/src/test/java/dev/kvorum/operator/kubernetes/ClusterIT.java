package dev.kvorum.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.operator.api.Approval;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.Phase;
import dev.kvorum.operator.api.Retention;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operator with a real API server, StatefulSets and garbage collection; machines and nodes are stood in for. */
@Tag("check")
class ClusterIT {
    private ControlPlane controlPlane;
    private KubernetesClient client;
    private Clusters clusters;
    private String namespace;
    private StandInNodes nodes;
    private Kubelets kubelets;
    private @Nullable RunningOperator operator;

    @BeforeEach
    void startOperator() {
        controlPlane = ControlPlane.running();
        client = controlPlane.client();
        namespace = controlPlane.newNamespace();
        clusters = new Clusters(client, namespace);
        nodes = new StandInNodes(client, namespace);
        kubelets = new Kubelets(client, namespace);
        operator = newOperator();
    }

    @AfterEach
    void stopOperator() {
        if (operator != null) {
            operator.close();
        }
        if (kubelets != null) {
            kubelets.close();
        }
    }

    @Test
    void oneResourceBecomesAReadyCluster() {
        clusters.apply("{}");

        clusters.awaitReady();

        assertThat(clusters.pods()).hasSize(3);
        KvorumClusterStatus status = clusters.status().orElseThrow();
        assertThat(status.readyReplicas()).isEqualTo(3);
        assertThat(status.members())
                .hasSize(3)
                .allMatch(member -> member.state().equals("ACTIVE"));
        assertThat(clusters.topology().orElseThrow().members())
                .allMatch(member -> member.knownIncarnation().isPresent());
        assertThat(client.services().inNamespace(namespace).list().getItems())
                .extracting(service -> service.getMetadata().getName())
                .containsExactlyInAnyOrder("demo", "demo-peers");
        assertThat(client.policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .hasSize(1);
        assertThat(policies()).containsExactlyInAnyOrder("demo-peers", "demo-monitoring");
        assertThat(events()).contains("Created", "DisksRecorded");
    }

    @Test
    void zonesGetASetEach() {
        clusters.apply("{replicas: 5, zones: [a, b, c]}");

        clusters.awaitReady();

        assertThat(clusters.pods())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactlyInAnyOrder("demo-a-0", "demo-a-1", "demo-b-0", "demo-b-1", "demo-c-0");
    }

    @Test
    void scalingOutAndInAgainThroughTheScaleSubresource() {
        clusters.apply("{storage: {retention: Delete}}");
        clusters.awaitReady();

        scale(5);
        clusters.awaitReady();
        assertThat(clusters.topology().orElseThrow().members()).hasSize(5);

        scale(3);
        clusters.awaitReady();
        Eventually.holds(
                "the former members and their volumes are gone",
                () -> clusters.pods().size() == 3 && clusters.volumes().size() == 3);
        assertThat(events()).contains("ScalingBegun", "ReadsSwitched", "ScalingFinished", "DeletingVolume");
    }

    @Test
    void aScalingIsCancelledBySettingReplicasBack() {
        clusters.apply("{}");
        clusters.awaitReady();
        nodes.holdTransfers(true);
        scale(5);
        clusters.awaitCondition("Scaling", "True", "Transferring");

        scale(3);

        clusters.awaitReady();
        assertThat(clusters.topology().orElseThrow().members()).hasSize(3);
        Eventually.holds("the new pods are gone", () -> clusters.pods().size() == 3);
        assertThat(events()).contains("ScalingCancelled");
    }

    @Test
    void aKeptVolumeIsInTheWayOfANewNodeUntilItIsDeleted() {
        clusters.apply("{replicas: 4}");
        clusters.awaitReady();
        scale(3);
        clusters.awaitReady();
        assertThat(clusters.volumes()).contains("data-demo-3");
        Eventually.holds(
                "the pod of the former member is gone", () -> clusters.pods().size() == 3);

        scale(4);
        clusters.awaitCondition("Degraded", "True", "KeptVolumes");
        assertThat(clusters.pods()).hasSize(3);

        var _ = client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName("data-demo-3")
                .delete();
        clusters.awaitReady();
        assertThat(clusters.topology().orElseThrow().members()).hasSize(4);
    }

    @Test
    void aClaimOfSomebodyElseThatHasTheNameOfAVolumeIsLeftAlone() {
        clusters.apply("{}");
        clusters.awaitReady();
        String claim = """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data-demo-3, namespace: %s}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """.formatted(namespace);
        String uid = client.resource(claim).create().getMetadata().getUid();

        scale(4);
        clusters.awaitCondition("Degraded", "True", "VolumesOfOthers");
        assertThat(clusters.pods()).hasSize(3);
        assertThat(client.resource(claim).get().getMetadata().getUid()).isEqualTo(uid);

        var _ = client.resource(claim).delete();
        clusters.awaitReady();
        assertThat(clusters.topology().orElseThrow().members()).hasSize(4);
    }

    @Test
    void aManualScalingWaitsForTheAnnotationThatNamesItsPlan() {
        clusters.apply("{scaling: {approval: " + Approval.Manual + "}}");
        clusters.awaitReady();
        scale(4);
        clusters.awaitCondition("Scaling", "True", "AwaitingApproval");

        String plan = clusters.status().orElseThrow().change().plan();
        clusters.demo().edit(cluster -> {
            cluster.getMetadata().setAnnotations(Map.of(Labels.APPROVAL, plan));
            return cluster;
        });

        clusters.awaitReady();
        assertThat(clusters.topology().orElseThrow().members()).hasSize(4);
    }

    @Test
    void anOperatorThatIsEndedAgainAndAgainStillScales() {
        clusters.apply("{}");
        clusters.awaitReady();
        scale(5);

        for (int times = 0; times < 5; times++) {
            operator.close();
            operator = newOperator();
        }

        clusters.awaitReady();
        assertThat(clusters.topology().orElseThrow().members()).hasSize(5);
    }

    @Test
    void aNewOperatorLeavesPodsAndSetsAsTheyAre() {
        clusters.apply("{}");
        clusters.awaitReady();
        Map<String, String> before = uids();
        long generation = set().getMetadata().getGeneration();

        operator.close();
        operator = newOperator();
        nodes.holdTransfers(true);
        scale(4);
        clusters.awaitCondition("Scaling", "True", "Transferring");

        assertThat(uids()).containsAllEntriesOf(before);
        assertThat(set().getMetadata().getGeneration()).isEqualTo(generation + 1); // Its replicas.
    }

    @Test
    void aBadImageStopsAfterTheFirstPodAndACorrectedOneGoesOn() {
        clusters.apply("{}");
        clusters.awaitReady();
        Map<String, String> before = uids();

        clusters.apply("{image: '" + Kubelets.BAD_IMAGE + "'}");
        clusters.awaitCondition("Degraded", "True", "UpdateStuck");
        assertThat(uids()).containsEntry("demo-0", before.get("demo-0")).containsEntry("demo-1", before.get("demo-1"));
        assertThat(clusters.status().orElseThrow().lastError())
                .contains("demo-2")
                .contains("no such image");

        clusters.apply("{image: 'good/image:2'}");
        clusters.awaitReady();
        assertThat(clusters.pods())
                .allMatch(pod ->
                        pod.getSpec().getContainers().getFirst().getImage().equals("good/image:2"));
    }

    @Test
    void aDeletedVolumeIsReplacedAndItsNodeIsCountedOnOnlyWhenItIsRebuilt() {
        clusters.apply("{}");
        clusters.awaitReady();
        nodes.holdRebuilds(true);
        String former = volume("data-demo-1").getMetadata().getUid();
        awaitProtectionOfVolume();

        var _ = client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName("data-demo-1")
                .delete();

        Eventually.holds("there is another volume", () -> {
            PersistentVolumeClaim volume = volume("data-demo-1");
            return volume != null && !volume.getMetadata().getUid().equals(former);
        });
        clusters.awaitCondition("Degraded", "True", "Rebuilding");
        nodes.holdRebuilds(false);
        clusters.awaitReady();
    }

    @ParameterizedTest
    @EnumSource(Retention.class)
    void raisingTheSizeExpandsVolumesWithoutTouchingPods(Retention retention) {
        clusters.apply("{storage: {retention: " + retention + "}}");
        clusters.awaitReady();
        Map<String, String> before = uids();

        clusters.apply("{storage: {size: 20Gi, retention: " + retention + "}}");

        clusters.awaitReady(); // Not before all of that is so.
        assertThat(size(volume("data-demo-2"))).isEqualTo("20Gi");
        assertThat(size(set().getSpec().getVolumeClaimTemplates().getFirst())).isEqualTo("20Gi");
        assertThat(uids()).isEqualTo(before);
        assertThat(clusters.volumes()).hasSize(3);
    }

    /**
     * So Kubernetes leaves it where it writes the status of a deleted set to the one of that name: the update of a status that met a conflict is repeated on whatever set
     * has the name by then, and no earlier generation than that of the status is written afterwards ({@code UpdateStatefulSetStatus} and {@code inconsistentStatus} of
     * its controller).
     */
    @Test
    void aStatusThatIsOfAnEarlierStatefulSetDoesNotKeepTheClusterFromBeingReady() {
        clusters.apply("{}");
        clusters.awaitReady();

        var _ = client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName("demo")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"observedGeneration\": 99}}");

        Eventually.holds(
                "its controller has written which spec it has seen",
                () -> Objects.equals(
                        set().getStatus().getObservedGeneration(),
                        set().getMetadata().getGeneration()));
        clusters.awaitReady();
    }

    /** Or there would be nobody who makes a pod that is lost meanwhile. */
    @Test
    void aStatefulSetThatCouldNotBeMadeAnewIsNotDeleted() {
        clusters.apply("{}");
        clusters.awaitReady();
        String set = set().getMetadata().getUid();

        clusters.apply("{storage: {size: 20Gi}, pod: {labels: {team: 'not a label'}}}");
        Eventually.holds(
                "volumes are larger",
                () -> Stream.of("data-demo-0", "data-demo-1", "data-demo-2")
                        .allMatch(claim -> volume(claim)
                                .getStatus()
                                .getCapacity()
                                .get("storage")
                                .toString()
                                .equals("20Gi")));
        clusters.apply("{storage: {size: 20Gi}, pod: {labels: {team: 'no label either'}}}");
        Eventually.holds(
                "that was tried",
                () -> clusters.status().orElseThrow().lastError() != null
                        && clusters.status().orElseThrow().lastError().contains("no label either"));
        assertThat(set()).isNotNull();
        assertThat(set().getMetadata().getUid()).isEqualTo(set);

        clusters.apply("{storage: {size: 20Gi}, pod: {labels: {team: shop}}}");
        clusters.awaitReady();
        assertThat(set().getMetadata().getUid()).isNotEqualTo(set);
    }

    @Test
    void aSizeThatNoVolumeGetsCanBeTakenBack() {
        clusters.apply("{}");
        clusters.awaitReady();
        Eventually.holds(
                "the status tells what volumes have",
                () -> "10Gi".equals(clusters.status().orElseThrow().volumeSize()));
        kubelets.keepVolumesAsTheyAre();
        clusters.apply("{storage: {size: 1000Gi}}");
        Eventually.holds("it is asked for", () -> size(volume("data-demo-2")).equals("1000Gi"));

        assertThatThrownBy(() -> clusters.apply("{storage: {size: 9Gi}}"))
                .hasMessageContaining("spec.storage.size was 1000Gi and can only be raised, or taken back");
        clusters.apply("{storage: {size: 20Gi}}");
        Eventually.holds("less is asked for", () -> size(volume("data-demo-2")).equals("20Gi"));

        clusters.apply("{storage: {size: 10Gi}}");
        clusters.awaitReady();
    }

    /** Whoever may label pods can label any. */
    @Test
    void aPodOfAnotherKindThatIsLabelledAsANodeDisturbsNothing() {
        var _ = client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("debug")
                        .withNamespace(namespace)
                        .withLabels(Map.of(
                                Labels.NAME, Labels.NODE, Labels.INSTANCE, "demo", Labels.MANAGED_BY, Labels.OPERATOR))
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("shell")
                        .withImage("any/shell:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();

        clusters.apply("{}");
        clusters.awaitReady();

        assertThat(clusters.status().orElseThrow().members()).hasSize(3);
    }

    /** As who makes one by hand from the YAML of ours. */
    @Test
    void aStatefulSetThatIsLabelledAsOursDisturbsNothing() {
        String labels = "{%s: %s, %s: demo, %s: %s, %s: default}"
                .formatted(Labels.NAME, Labels.NODE, Labels.INSTANCE, Labels.MANAGED_BY, Labels.OPERATOR, Labels.ZONE);
        var _ = client.resource("""
                        apiVersion: apps/v1
                        kind: StatefulSet
                        metadata: {name: copy, namespace: %s, labels: %s}
                        spec:
                          replicas: 0
                          serviceName: copy
                          selector: {matchLabels: {copy: 'true'}}
                          template: {metadata: {labels: {copy: 'true'}}, spec: {containers: [{name: node, image: any}]}}
                        """.formatted(namespace, labels)).create();

        clusters.apply("{}");
        clusters.awaitReady();
        scale(4);
        clusters.awaitReady();

        assertThat(clusters.pods()).hasSize(4);
    }

    /** What has been given to it, by whoever manages rights, is not for nodes. */
    @Test
    void noNodeRunsAsSomebodyElsesServiceAccount() {
        String account =
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: demo, namespace: %s}}".formatted(namespace);
        var _ = client.resource("---\n" + account).create();

        clusters.apply("{}");
        clusters.awaitCondition("Degraded", "True", "Failing");
        assertThat(clusters.status().orElseThrow().lastError()).contains("ServiceAccount demo is there already");
        assertThat(set()).isNull();

        var _ = client.resource("---\n" + account).delete();
        clusters.awaitReady();
    }

    /** Clusters are ready sooner here than any is; until it is protected, a claim goes while its pod runs. */
    private void awaitProtectionOfVolume() {
        Eventually.holds(
                "the claim is protected",
                () -> volume("data-demo-1").getMetadata().getFinalizers().contains("kubernetes.io/pvc-protection"));
    }

    @Test
    void noPodMayBeEvictedWhileAnotherLacksSomeOfItsData() {
        clusters.apply("{}");
        clusters.awaitReady();
        assertThat(evictable()).isEqualTo(1);
        nodes.holdRebuilds(true);
        awaitProtectionOfVolume();

        var _ = client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName("data-demo-1")
                .delete();

        clusters.awaitCondition("Degraded", "True", "Rebuilding");
        Eventually.holds("no pod may be evicted", () -> evictable() == 0);
        nodes.holdRebuilds(false);
        clusters.awaitReady();
        Eventually.holds("one may be again", () -> evictable() == 1);
    }

    private int evictable() {
        return client.policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .withName("demo")
                .get()
                .getSpec()
                .getMaxUnavailable()
                .getIntVal();
    }

    @Test
    void withRetainAClusterThatIsDeletedAndMadeAnewHasItsVolumesAndItsTopology() {
        clusters.apply("{}");
        clusters.awaitReady();
        String volume = volume("data-demo-0").getMetadata().getUid();
        long epoch = clusters.topology().orElseThrow().epoch();

        var _ = clusters.demo().delete();
        Eventually.holds("all pods are gone", () -> clusters.pods().isEmpty());
        assertThat(clusters.volumes()).hasSize(3);

        clusters.apply("{}");
        clusters.awaitReady();
        assertThat(volume("data-demo-0").getMetadata().getUid()).isEqualTo(volume);
        assertThat(clusters.topology().orElseThrow().epoch()).isGreaterThanOrEqualTo(epoch);
    }

    @ParameterizedTest
    @EnumSource(
            value = DeletionPropagation.class,
            names = {"BACKGROUND", "FOREGROUND"})
    void withDeleteNothingRemainsOfADeletedCluster(DeletionPropagation propagation) {
        clusters.apply("{storage: {retention: Delete}}");
        clusters.awaitReady();

        var _ = clusters.demo().withPropagationPolicy(propagation).delete();

        Eventually.holds(
                "nothing is left",
                () -> clusters.demo().get() == null
                        && clusters.pods().isEmpty()
                        && clusters.volumes().isEmpty()
                        && clusters.topology().isEmpty());
    }

    @ParameterizedTest
    @EnumSource(Retention.class)
    void aDeletedStatefulSetIsMadeAnewWithTheVolumesThatItHad(Retention retention) {
        clusters.apply("{storage: {retention: " + retention + "}}");
        clusters.awaitReady();
        Map<String, String> volumes = volumeUids();
        String former = set().getMetadata().getUid();

        var _ = client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName("demo")
                .delete();

        Eventually.holds(
                "there is another StatefulSet",
                () -> set() != null && !set().getMetadata().getUid().equals(former));
        clusters.awaitReady();
        assertThat(volumeUids()).isEqualTo(volumes);
    }

    /** An earlier operator let StatefulSets own volumes. */
    @Test
    void volumesOfAStatefulSetOfAnEarlierOperatorAreTakenFromIt() {
        clusters.apply("{storage: {retention: Delete}}");
        clusters.awaitReady();
        operator.close();
        var _ = client.resource(set())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"persistentVolumeClaimRetentionPolicy\": {\"whenDeleted\": \"Delete\"}}}");
        Eventually.holds(
                "the StatefulSet owns the volumes",
                () -> owners().values().stream().allMatch(owners -> owners.contains("StatefulSet")));

        operator = newOperator();

        Eventually.holds(
                "the cluster alone owns them",
                () -> owners().values().stream().allMatch(List.of("KvorumCluster")::equals),
                () -> owners().toString());
        assertThat(set().getSpec().getPersistentVolumeClaimRetentionPolicy().getWhenDeleted())
                .isEqualTo("Retain");
    }

    @Test
    void theOwnerOfVolumesFollowsTheSpecAndAnOrphanedClusterLeavesThemToNobody() {
        clusters.apply("{storage: {retention: Delete}}");
        clusters.awaitReady();
        assertThat(owners().values()).containsOnly(List.of("KvorumCluster"));

        clusters.apply("{storage: {retention: Retain}}");
        clusters.awaitReady();
        assertThat(owners().values()).containsOnly(List.of());

        clusters.apply("{storage: {retention: Delete}}");
        clusters.awaitReady();
        assertThat(owners().values()).containsOnly(List.of("KvorumCluster"));

        var _ = clusters.demo()
                .withPropagationPolicy(DeletionPropagation.ORPHAN)
                .delete();
        Eventually.holds("the cluster is gone", () -> clusters.demo().get() == null);
        assertThat(owners()).hasSize(3);
        assertThat(owners().values()).containsOnly(List.of());
    }

    /** Of volume claims, by their names. */
    private Map<String, List<String>> owners() {
        return claims().stream()
                .collect(Collectors.toMap(
                        claim -> claim.getMetadata().getName(),
                        claim -> claim.getMetadata().getOwnerReferences().stream()
                                .map(OwnerReference::getKind)
                                .toList()));
    }

    private Map<String, String> volumeUids() {
        return claims().stream()
                .collect(Collectors.toMap(
                        claim -> claim.getMetadata().getName(),
                        claim -> claim.getMetadata().getUid()));
    }

    private List<PersistentVolumeClaim> claims() {
        return client.persistentVolumeClaims().inNamespace(namespace).list().getItems();
    }

    @Test
    void aTopologyOutlivesAClusterThatIsToRetainItsVolumesByNow() {
        clusters.apply("{storage: {retention: Delete}}");
        clusters.awaitReady();
        assertThat(topologyMap().getMetadata().getOwnerReferences()).hasSize(1);

        clusters.apply("{storage: {retention: Retain}}");
        Eventually.holds(
                "the topology belongs to nobody",
                () -> topologyMap().getMetadata().getOwnerReferences().isEmpty());
        clusters.awaitReady();
    }

    @Test
    void aTopologyGoesWithAClusterThatIsToDeleteItsVolumesByNow() {
        clusters.apply("{storage: {retention: Retain}}");
        clusters.awaitReady();
        clusters.apply("{storage: {retention: Delete}}");
        Eventually.holds(
                "the topology belongs to the cluster",
                () -> topologyMap().getMetadata().getOwnerReferences().size() == 1);
        clusters.awaitReady();

        var _ = clusters.demo().delete();

        Eventually.holds("it is gone", () -> clusters.topology().isEmpty());
    }

    @Test
    void whatTheApiServerRefusesIsToldAndEverythingElseGoesOn() {
        clusters.apply("{}");
        clusters.awaitReady();

        clusters.apply("{replicas: 3, pod: {labels: {team: 'not a label'}}}");
        clusters.awaitCondition("Degraded", "True", "Failing");
        assertThat(clusters.status().orElseThrow().lastError())
                .startsWith("the API server refuses the StatefulSet demo: ")
                .contains("not a label");
        clusters.awaitCondition("Available", "True", "Quorum");

        clusters.apply("{replicas: 3, pod: {labels: {team: shop}}}");
        clusters.awaitReady();
    }

    @Test
    void aTopologyThatCanNotBeReadIsTold() {
        clusters.apply("{}");
        clusters.awaitReady();
        ConfigMap good = topologyMap();

        var _ = client.resource(
                        good.edit().withData(Map.of("topology.json", "{}")).build())
                .update();
        clusters.awaitCondition("Ready", "False", "Failing");
        assertThat(clusters.status().orElseThrow().lastError()).contains("the ConfigMap demo-topology can't be read");

        var _ = client.resource(topologyMap().edit().withData(good.getData()).build())
                .update();
        clusters.awaitReady();
    }

    @Test
    void podsThatKubernetesWillNotMakeAreToldWithItsReason() {
        var _ = client.resource(new LimitRangeBuilder()
                        .withNewMetadata()
                        .withName("small")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addNewLimit()
                        .withType("Container")
                        .addToMax("memory", new Quantity("256Mi"))
                        .endLimit()
                        .endSpec()
                        .build())
                .create();

        clusters.apply("{}");
        clusters.awaitCondition("Degraded", "True", "PodTrouble");
        assertThat(clusters.status().orElseThrow().lastError())
                .contains("demo-0")
                .contains("maximum memory usage per Container is 256Mi");
    }

    @Test
    void aConfigMapOfTheTopologysNameThatIsSomebodysIsLeftAlone() {
        ConfigMap theirs = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("demo-topology")
                .withNamespace(namespace)
                .endMetadata()
                .addToData("theirs", "data")
                .build();
        var _ = client.resource(theirs).create();

        clusters.apply("{}");
        clusters.awaitCondition("Degraded", "True", "NameTaken");
        assertThat(client.resource(theirs).get().getData()).containsOnlyKeys("theirs");
        assertThat(client.apps().statefulSets().inNamespace(namespace).list().getItems())
                .isEmpty();

        var _ = client.resource(theirs).delete();
        clusters.awaitReady();
    }

    @Test
    void aMonitorOfThatNameThatIsSomebodysIsLeftAlone() {
        controlPlane.definePodMonitors();
        GenericKubernetesResource theirs = monitor("{interval: theirs}");
        var _ = client.resource(theirs).create();

        clusters.apply("{}");
        clusters.awaitReady();
        assertThat(client.resource(theirs).get()).isNotNull();

        clusters.apply("{monitoring: {podMonitor: true}}");
        clusters.awaitCondition("Degraded", "True", "Failing");
        assertThat(clusters.status().orElseThrow().lastError()).contains("PodMonitor demo is there already");
        assertThat(client.resource(theirs).get().<String>get("spec", "interval"))
                .isEqualTo("theirs");

        var _ = client.resource(theirs).delete();
        clusters.awaitReady();
        assertThat(client.resource(theirs).get().<String>get("spec", "selector", "matchLabels", Labels.INSTANCE))
                .isEqualTo("demo");

        clusters.apply("{monitoring: {podMonitor: false}}");
        Eventually.holds("it is withdrawn", () -> client.resource(theirs).get() == null);
    }

    @Test
    void thePeersPortIsOpenToMembersAndTheManagementPortToTheOperatorByItsNamespace() {
        clusters.apply("{monitoring: {from: [{namespaceSelector: {matchLabels: {team: monitoring}}}]}}");
        clusters.awaitReady();

        Map<String, String> operator = Map.of("kubernetes.io/metadata.name", RunningOperator.HOME);
        assertThat(ingress("demo-peers"))
                .extracting(ClusterIT::namespaces)
                .containsExactly(List.of(), List.of(Map.of()), List.of(operator));
        assertThat(ingress("demo-monitoring"))
                .extracting(ClusterIT::namespaces)
                .containsExactly(List.of(Map.of("team", "monitoring")));
    }

    /** The definition can't compare networks. */
    @Test
    void aPeerThatTheApiServerRefusesLeavesThePortsClosedAndIsTold() {
        clusters.apply("{monitoring: {from: [{ipBlock: {cidr: 10.0.0.0/8, except: [192.168.0.0/16]}}]}}");

        clusters.awaitCondition("Degraded", "True", "Failing");
        assertThat(clusters.status().orElseThrow().lastError())
                .startsWith("the API server refuses the NetworkPolicy demo-monitoring: ")
                .contains("192.168.0.0/16");
        assertThat(policies()).containsExactly("demo-peers");
        clusters.awaitCondition("Available", "True", "Quorum");

        clusters.apply("{monitoring: {from: [{ipBlock: {cidr: 10.0.0.0/8}}]}}");
        clusters.awaitReady();
        assertThat(ingress("demo-monitoring")).hasSize(1);

        clusters.apply("{}");
        Eventually.holds(
                "nobody else is let in", () -> ingress("demo-monitoring").isEmpty());
    }

    private List<String> policies() {
        return client.network().v1().networkPolicies().inNamespace(namespace).list().getItems().stream()
                .map(policy -> policy.getMetadata().getName())
                .toList();
    }

    private List<NetworkPolicyIngressRule> ingress(String policy) {
        return client.network()
                .v1()
                .networkPolicies()
                .inNamespace(namespace)
                .withName(policy)
                .get()
                .getSpec()
                .getIngress();
    }

    private static List<Map<String, String>> namespaces(NetworkPolicyIngressRule rule) {
        return rule.getFrom().stream()
                .map(from -> from.getNamespaceSelector() == null
                        ? Map.<String, String>of()
                        : from.getNamespaceSelector().getMatchLabels())
                .toList();
    }

    private GenericKubernetesResource monitor(String spec) {
        return client.getKubernetesSerialization()
                .unmarshal(
                        "---\n{apiVersion: monitoring.coreos.com/v1, kind: PodMonitor, metadata: {name: demo, namespace: %s}, spec: %s}"
                                .formatted(namespace, spec),
                        GenericKubernetesResource.class);
    }

    private ConfigMap topologyMap() {
        return client.configMaps()
                .inNamespace(namespace)
                .withName("demo-topology")
                .get();
    }

    @Test
    void aClusterIsDeletedAlsoWhereNoOperatorRuns() {
        clusters.apply("{}");
        clusters.awaitReady();
        operator.close();
        operator = null;

        var _ = clusters.demo().delete();

        Eventually.holds(
                "it is gone, and its pods",
                () -> clusters.demo().get() == null && clusters.pods().isEmpty());
    }

    @Test
    void aDeletedTopologyIsRestoredFromTheNodes() {
        clusters.apply("{}");
        clusters.awaitReady();
        var before = clusters.topology().orElseThrow();

        var _ = client.configMaps()
                .inNamespace(namespace)
                .withName("demo-topology")
                .delete();

        clusters.awaitTopology("it is back", before::equals);
    }

    @Test
    void whatSomebodyElseChangedIsPutRight() {
        clusters.apply("{}");
        clusters.awaitReady();

        var _ = client.services()
                .inNamespace(namespace)
                .withName("demo-peers")
                .edit(service -> service.edit()
                        .editSpec()
                        .withPublishNotReadyAddresses(false)
                        .endSpec()
                        .build());

        Eventually.holds(
                "it is right again",
                () -> Boolean.TRUE.equals(client.services()
                        .inNamespace(namespace)
                        .withName("demo-peers")
                        .get()
                        .getSpec()
                        .getPublishNotReadyAddresses()));
    }

    @Test
    void objectsThatHaveLostTheirLabelsAreStillItsOwn() {
        clusters.apply("{}");
        clusters.awaitReady();
        String uid = set().getMetadata().getUid();

        var _ = client.serviceAccounts()
                .inNamespace(namespace)
                .withName("demo")
                .edit(account -> account.edit()
                        .editMetadata()
                        .withLabels(Map.of())
                        .endMetadata()
                        .build());
        var _ = client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName("demo")
                .edit(set -> set.edit()
                        .editMetadata()
                        .withLabels(Map.of("theirs", "stays"))
                        .endMetadata()
                        .build());

        Eventually.holds(
                "they have them again",
                () -> !client.serviceAccounts()
                                .inNamespace(namespace)
                                .withName("demo")
                                .get()
                                .getMetadata()
                                .getLabels()
                                .isEmpty()
                        && set().getMetadata().getLabels().size() > 1);
        clusters.awaitReady();
        assertThat(set().getMetadata().getUid()).isEqualTo(uid);
        assertThat(set().getMetadata().getLabels()).containsEntry("theirs", "stays");
    }

    /** Who deletes it by that would be surprised: Kubernetes goes by what the StatefulSet says. */
    @Test
    void aPausedClusterIsReadyOnlyIfItsObjectsAreAsTheSpecSays() {
        clusters.apply("{}");
        clusters.awaitReady();

        clusters.apply("{paused: true}");
        clusters.awaitReady();
        clusters.apply("{paused: true, pod: {labels: {team: shop}}}");
        clusters.awaitCondition("Ready", "False", "Paused");

        clusters.apply("{paused: false, pod: {labels: {team: shop}}}");
        clusters.awaitReady();
    }

    /** As docs/kubernetes.md says, for commands that need the data directories of stopped nodes. */
    @Test
    void podsOfAPausedClusterAreStoppedByHandAndComeBackWithTheirVolumes() {
        clusters.apply("{}");
        clusters.awaitReady();
        Map<String, String> volumes = volumeUids();
        Topology topology = clusters.topology().orElseThrow();

        clusters.apply("{paused: true}");
        Eventually.holds(
                "the operator knows", () -> clusters.status().orElseThrow().phase() == Phase.Paused);
        client.apps().statefulSets().inNamespace(namespace).withName("demo").scale(0);
        Eventually.holds("all pods are gone", () -> clusters.pods().isEmpty());
        clusters.awaitCondition("Available", "False", "NoQuorum"); // The operator has looked since.
        assertThat(set().getSpec().getReplicas()).isZero();

        clusters.apply("{paused: false}");
        clusters.awaitReady();
        assertThat(clusters.pods()).hasSize(3);
        assertThat(volumeUids()).isEqualTo(volumes);
        assertThat(clusters.topology().orElseThrow().members()).isEqualTo(topology.members());
    }

    @Test
    void aPausedClusterIsLeftAloneUntilItIsNot() {
        clusters.apply("{}");
        clusters.awaitReady();

        clusters.apply("{paused: true, replicas: 4}");
        clusters.awaitCondition("Progressing", "False", "Paused");
        assertThat(clusters.pods()).hasSize(3);

        clusters.apply("{paused: false, replicas: 4}");
        clusters.awaitReady();
        assertThat(clusters.pods()).hasSize(4);
        assertThat(clusters.topology().orElseThrow().reads()).isEqualTo(Reads.CURRENT);
    }

    private RunningOperator newOperator() {
        return new RunningOperator(controlPlane.newClient(), namespace, nodes);
    }

    private void scale(int replicas) {
        var _ = clusters.demo().scale(replicas);
    }

    private Map<String, String> uids() {
        return clusters.pods().stream()
                .collect(Collectors.toMap(
                        (Pod pod) -> pod.getMetadata().getName(),
                        pod -> pod.getMetadata().getUid()));
    }

    private List<String> events() {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .map(Event::getReason)
                .toList();
    }

    private StatefulSet set() {
        return client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName("demo")
                .get();
    }

    private PersistentVolumeClaim volume(String name) {
        return client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private static String size(PersistentVolumeClaim claim) {
        return String.valueOf(claim.getSpec().getResources().getRequests().get("storage"));
    }
}
