package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.operator.decision.Observed.VolumeOwner;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from a pod's status. */
class KubernetesStatesTest {
    private static final String CREATED = "2026-01-01T00:00:00Z";
    private static final Instant NOW = Instant.parse(CREATED);
    private static final String UNBOUND = "{}";
    private static final String BOUND = "{nodeName: machine}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{phase: Pending}",
                "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]}"
            })
    void aPodWithoutAMachineHasNotStarted(String status) {
        assertThat(pod(UNBOUND, status).started()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{phase: Pending, containerStatuses: [{name: node, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]}",
                "{phase: Pending, containerStatuses: [{name: node, restartCount: 0, state: {waiting: {reason: ErrImagePull}}, lastState: {}}]}",
                "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: ErrImagePull}}}, "
                        + "{name: other, state: {waiting: {reason: ContainerCreating}}}]}"
            })
    void aPodWhoseKubeletTellsThatItWaitsForItsFirstStartHasNotStarted(String status) {
        assertThat(pod(BOUND, status).started()).isFalse();
    }

    /** Its machine may be cut off from the API server and not from clients: the node in it answers them by the epoch on its disk. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{phase: Pending}",
                "{phase: Pending, conditions: [{type: PodScheduled, status: 'True'}]}",
                "{phase: Pending, containerStatuses: []}",
                "{phase: Pending, containerStatuses: [{name: node}]}"
            })
    void aPodThatHasAMachineWhoseKubeletHasNotToldOfItsContainersMayHaveStarted(String status) {
        assertThat(pod(BOUND, status).started()).isTrue();
        assertThat(pod(BOUND, status).ended()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{phase: Running}",
                "{phase: Unknown}",
                "{phase: Pending, containerStatuses: [{name: node, state: {running: {}}}]}",
                "{phase: Pending, containerStatuses: [{name: node, restartCount: 1, state: {waiting: {reason: ErrImagePull}}}]}",
                "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: ErrImagePull}}}, "
                        + "{name: other, state: {running: {}}}]}",
                "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: CrashLoopBackOff}}, "
                        + "lastState: {terminated: {exitCode: 1}}}]}"
            })
    void aPodWhoseContainerMayRunOrHasRunHasStarted(String status) {
        assertThat(pod(BOUND, status).started()).isTrue();
        assertThat(pod(BOUND, status).ended()).isFalse();
    }

    /** Seconds since its scheduler gave up; it waits for a volume that is being made for so long. */
    @ParameterizedTest
    @CsvSource({"29, false", "31, true"})
    void aPodWithoutAMachineIsInTroubleAfterHalfAMinute(int seconds, boolean trouble) {
        String status =
                "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: no room, lastTransitionTime: '%s'}]}"
                        .formatted(CREATED);

        assertThat(troubleAfter(seconds, "{}", UNBOUND, status)).isEqualTo(trouble ? "Unschedulable, no room" : null);
    }

    @ParameterizedTest
    @CsvSource({"299, false", "301, true"})
    void aPodThatRunsAndIsNotReadyIsInTroubleAfterFiveMinutes(int seconds, boolean trouble) {
        String told = "{phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: '%s'}]}"
                .formatted(CREATED);

        for (String status : List.of(told, "{phase: Pending}")) {
            assertThat(troubleAfter(seconds, "{}", BOUND, status))
                    .isEqualTo(trouble ? "it has not been ready for more than 5 minutes: see its log" : null);
        }
    }

    @Test
    void aPodThatIsReadyIsInNoTroubleHoweverOldItIs() {
        String status = "{phase: Running, conditions: [{type: Ready, status: 'True', lastTransitionTime: '%s'}]}"
                .formatted(CREATED);

        assertThat(troubleAfter(100_000, "{}", BOUND, status)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"299, false", "301, true"})
    void aPodThatDoesNotEndIsInTroubleFiveMinutesAfterItShouldHave(int seconds, boolean trouble) {
        String ending = "{deletionTimestamp: '%s'}".formatted(CREATED);
        String status = "{phase: Running, containerStatuses: [{name: node, state: {terminated: {reason: Completed}}}]}";

        assertThat(troubleAfter(seconds, ending, BOUND, status))
                .isEqualTo(
                        trouble
                                ? "it should have ended more than 5 minutes ago: its machine may be lost or cut off"
                                : null);
    }

    @ParameterizedTest
    @CsvSource({
        "Retain, data-demo-0, Other, demo, true",
        "Retain, data-demo-0, StatefulSet, demo, false", // Its controller has not looked at it yet.
        "Delete, data-demo-0, Other, demo, false",
        "Retain, data-demo-2, StatefulSet, demo, true", // Of no pod of it.
        "Retain, data-demo-0, StatefulSet, demo-b, true"
    })
    void volumesStayWhenTheSetSaysSoAndNoneBelongsToIt(
            String policy, String claim, String kind, String owner, boolean stays) {
        StatefulSet set = Serialization.unmarshal("""
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: demo}
                spec:
                  replicas: 2
                  persistentVolumeClaimRetentionPolicy: {whenDeleted: %s}
                  volumeClaimTemplates: [{metadata: {name: data}}]
                """.formatted(policy), StatefulSet.class);
        PersistentVolumeClaim volume =
                Serialization.unmarshal("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s, ownerReferences: [{kind: %s, name: %s}]}
                """.formatted(claim, kind, owner), PersistentVolumeClaim.class);

        assertThat(KubernetesStates.keepsVolumes(set, List.of(volume))).isEqualTo(stays);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    []                                                                  | NOBODY
                    [{kind: Backup, uid: b}]                                            | NOBODY
                    [{kind: KvorumCluster, uid: present}]                               | CLUSTER
                    [{kind: KvorumCluster, uid: former}]                                | FORMER_CLUSTER
                    [{kind: KvorumCluster, uid: former}, {kind: StatefulSet, uid: s}]   | FORMER_CLUSTER
                    [{kind: KvorumCluster, uid: present}, {kind: StatefulSet, uid: s}]  | SET
                    [{kind: StatefulSet, uid: s}]                                       | SET
                    """)
    void aVolumeGoesWithItsOwner(String owners, VolumeOwner owner) {
        KvorumCluster cluster = new KvorumCluster();
        cluster.getMetadata().setUid("present");
        PersistentVolumeClaim claim = Serialization.unmarshal("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data-demo-0, ownerReferences: %s}
                spec: {resources: {requests: {storage: 1Gi}}}
                """.formatted(owners), PersistentVolumeClaim.class);

        assertThat(KubernetesStates.volume(claim, cluster).owner()).isEqualTo(owner);
    }

    @ParameterizedTest
    @CsvSource({
        "'{observedGeneration: 2, updateRevision: r1}', true, false",
        "'{observedGeneration: 2}', false, false", // It has not said which pods it would make.
        "'{observedGeneration: 1, updateRevision: r1}', false, false",
        "'{observedGeneration: 3, updateRevision: r1}', false, true",
        "'{updateRevision: r1}', false, false",
        "'{}', false, false",
        "null, false, false"
    })
    void aSpecIsSeenWhenTheStatusIsAboutIt(String status, boolean seen, boolean misled) {
        StatefulSet set = Serialization.unmarshal("""
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: demo, generation: 2}
                spec:
                  replicas: 2
                  volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}]
                status: %s
                """.formatted(status), StatefulSet.class);

        SetState state = KubernetesStates.set(set, List.of());

        assertThat(state.seen()).isEqualTo(seen);
        assertThat(state.misled()).isEqualTo(misled);
    }

    @Test
    void aMarkThatIsNoEpochIsNamedAndNotPassedOver() {
        PersistentVolumeClaim claim = Serialization.unmarshal("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data-demo-0, namespace: shop, uid: u, annotations: {kvorum.dev/joined-at-epoch: first}}
                spec: {resources: {requests: {storage: 1Gi}}}
                """, PersistentVolumeClaim.class);

        assertThat(KubernetesStates.volume(claim, new KvorumCluster()).unreadable())
                .startsWith("the annotation kvorum.dev/joined-at-epoch of the volume claim data-demo-0 is \"first\"")
                .endsWith("`kubectl annotate pvc data-demo-0 -n shop --overwrite kvorum.dev/joined-at-epoch=EPOCH`");
    }

    /** So kubelets tell of a container that has been made and not started. */
    @Test
    void aContainerThatWaitsWithoutAReasonIsInNoTrouble() {
        assertThat(pod(
                                BOUND,
                                "{phase: Pending, containerStatuses: [{name: node, restartCount: 0, state: {waiting: {}}}]}")
                        .trouble())
                .isNull();
    }

    private static PodState pod(String spec, String status) {
        return pod("{}", spec, status, NOW);
    }

    private static @Nullable String troubleAfter(int seconds, String metadata, String spec, String status) {
        return pod(metadata, spec, status, NOW.plusSeconds(seconds)).trouble();
    }

    private static PodState pod(String metadata, String spec, String status, Instant now) {
        String yaml = "---\n{apiVersion: v1, kind: Pod, metadata: %s, spec: %s, status: %s}"
                .formatted(metadata, spec, status);
        Pod pod = Serialization.unmarshal(yaml, Pod.class);
        pod.getMetadata().setUid("u");
        pod.getMetadata().setCreationTimestamp(CREATED);
        return KubernetesStates.pod(pod, now);
    }
}
