package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.decision.Observed.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from a pod's status. */
class KubernetesStatesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{phase: Pending}",
                "{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]}",
                "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: ContainerCreating}}}]}",
                "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: ErrImagePull}}}]}"
            })
    void aPodThatWaitsForItsFirstContainerHasNotStarted(String status) {
        assertThat(pod(status).started()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{phase: Running}",
                "{phase: Unknown}",
                "{phase: Pending, containerStatuses: [{name: node, state: {running: {}}}]}",
                "{phase: Pending, containerStatuses: [{name: node, state: {waiting: {reason: CrashLoopBackOff}}, "
                        + "lastState: {terminated: {exitCode: 1}}}]}"
            })
    void aPodWhoseContainerMayRunOrHasRunHasStarted(String status) {
        assertThat(pod(status).started()).isTrue();
        assertThat(pod(status).ended()).isFalse();
    }

    private static PodState pod(String status) {
        String pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: demo-3, uid: u, labels: {}}\nstatus: " + status;
        return KubernetesStates.pod(Serialization.unmarshal(pod, Pod.class));
    }
}
