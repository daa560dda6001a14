package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.decision.Observed.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from a pod's status. */
class KubernetesStatesTest {
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

    private static PodState pod(String spec, String status) {
        String pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: demo-3, uid: u, labels: {}}\nspec: " + spec
                + "\nstatus: " + status;
        return KubernetesStates.pod(Serialization.unmarshal(pod, Pod.class));
    }
}
