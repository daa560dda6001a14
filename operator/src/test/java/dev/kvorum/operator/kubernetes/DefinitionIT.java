package dev.kvorum.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.Specs;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server makes of resources, before any operator sees them. */
class DefinitionIT {
    private KubernetesClient client;
    private Clusters clusters;
    private String namespace;

    @BeforeEach
    void findControlPlane() {
        ControlPlane controlPlane = ControlPlane.running();
        client = controlPlane.client();
        namespace = controlPlane.newNamespace();
        clusters = new Clusters(client, namespace);
    }

    @Test
    void anEmptySpecIsAThreeNodeClusterWithAllDefaultsWritten() {
        KvorumClusterSpec spec = clusters.apply("{}").getSpec();

        assertThat(spec).isEqualTo(Specs.spec("{}"));
        assertThat(spec.replicas()).isEqualTo(3);
        assertThat(spec.storage().size()).isEqualTo("10Gi");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {replicas: 2}                                       | spec.replicas must be at least spec.replicationFactor
                    {replicas: 256}                                     | spec.replicas
                    {replicas: many}                                    | spec.replicas
                    {replicas: 3, zones: [a, b, c, d]}                  | spec.zones must not name more zones than spec.replicas
                    {zones: [a, a]}                                     | spec.zones
                    {zones: [A]}                                        | spec.zones
                    {partitions: 0}                                     | spec.partitions
                    {quorum: {write: 4}}                                | spec.quorum.read and spec.quorum.write must be at most spec.replicationFactor
                    {storage: {size: big}}                              | spec.storage.size
                    {storage: {retention: Forget}}                      | spec.storage.retention
                    {durability: sometimes}                             | spec.durability
                    {resources: {limits: {memory: much}}}               | memory must be a quantity such as 512Mi
                    {resources: {requests: {memory: 1Gi}, limits: {memory: 512Mi}}} | resources.requests.memory must be at most resources.limits.memory
                    {resources: {requests: {cpu: 2}, limits: {cpu: 500m}}} | resources.requests.cpu must be at most resources.limits.cpu
                    {pod: {labels: {kvorum.dev/zone: x}}}               | spec.pod.labels must not begin with kvorum.dev/
                    {pod: {annotations: {kvorum.dev/x: y}}}             | spec.pod.annotations must not begin with kvorum.dev/
                    {scaling: {approval: Perhaps}}                      | spec.scaling.approval
                    {monitoring: {interval: often}}                     | spec.monitoring.interval
                    {monitoring: {from: [{}]}}                          | each of spec.monitoring.from must have a podSelector
                    {image: ''}                                         | spec.image
                    """)
    void aMalformedResourceIsRefusedWithASentenceThatNamesTheField(String spec, String sentence) {
        assertThatThrownBy(() -> clusters.apply(spec))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {replicationFactor: 2}                         | spec.replicationFactor can't be changed
                    {partitions: 128}                              | spec.partitions can't be changed
                    {storage: {size: 5Gi}}                         | spec.storage.size was 10Gi and can only be raised
                    {storage: {storageClassName: fast}}            | spec.storage.storageClassName can't be changed
                    {zones: [a]}                                   | spec.zones can't be given to a cluster without zones
                    {paused: true, storage: {retention: Delete}}   | spec.storage.retention can't be changed while spec.paused is true
                    """)
    void whatCanNotBeChangedIsRefused(String spec, String sentence) {
        clusters.apply("{}");

        assertThatThrownBy(() -> clusters.apply(spec))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void scalingBelowTheReplicationFactorIsRefusedAlsoThroughTheScaleSubresource() {
        clusters.apply("{replicas: 4}");

        assertThatThrownBy(() -> clusters.demo().scale(2))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.replicas must be at least spec.replicationFactor");
        assertThat(clusters.demo().get().getSpec().replicas()).isEqualTo(4);
    }

    @Test
    void aNameThatNoServiceCouldHaveIsRefused() {
        String yaml =
                "---\n{apiVersion: kvorum.dev/v1alpha1, kind: KvorumCluster, metadata: {name: 1demo, namespace: %s}}"
                        .formatted(namespace);

        assertThatThrownBy(() -> client.resource(yaml).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("metadata.name must be up to 40 of a-z");
    }

    @Test
    void volumesAreComparedAsQuantities() {
        clusters.apply("{storage: {size: 1024Mi}}");

        assertThat(clusters.apply("{storage: {size: 1Gi}}").getSpec().storage().size())
                .isEqualTo("1Gi");
    }
}
