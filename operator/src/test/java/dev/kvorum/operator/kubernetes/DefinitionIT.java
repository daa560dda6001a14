package dev.kvorum.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.Specs;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API server makes of resources, before any operator sees them. */
@Tag("check")
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
                    {monitoring: {from: [{ipBlock: {}}]}}               | cidr must be a network such as 10.0.0.0/8 or fd00::/8
                    {monitoring: {from: [{ipBlock: {cidr: 10.0.0.0}}]}} | cidr must be a network such as 10.0.0.0/8 or fd00::/8
                    {monitoring: {from: [{ipBlock: {cidr: 10.0.0.256/8}}]}} | cidr must be a network such as 10.0.0.0/8 or fd00::/8
                    {monitoring: {from: [{ipBlock: {cidr: 10.0.0.0/33}}]}} | cidr must be a network such as 10.0.0.0/8 or fd00::/8
                    {monitoring: {from: [{ipBlock: {cidr: 'fd00:::/8'}}]}} | cidr must be a network such as 10.0.0.0/8 or fd00::/8
                    {monitoring: {from: [{ipBlock: {cidr: 'fd00::/129'}}]}} | cidr must be a network such as 10.0.0.0/8 or fd00::/8
                    {monitoring: {from: [{podSelector: {}}, {ipBlock: {cidr: here}}]}} | spec.monitoring.from[1].ipBlock
                    {monitoring: {from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.0.0.1]}}]}} | each of except must be a network within cidr
                    {monitoring: {from: [{ipBlock: {cidr: 10.0.0.0/8}, podSelector: {}}]}} | an ipBlock must stand alone
                    {monitoring: {from: [{podSelector: {matchLabels: {app: 'not a label'}}}]}} | the values of matchLabels must be values of labels
                    {monitoring: {from: [{namespaceSelector: {matchExpressions: [{key: 'not a name', operator: Exists}]}}]}} | key must be the name of a label
                    {monitoring: {from: [{podSelector: {matchExpressions: [{key: app, operator: Is, values: [x]}]}}]}} | operator must be In, NotIn, Exists or DoesNotExist
                    {monitoring: {from: [{podSelector: {matchExpressions: [{key: app, operator: In}]}}]}} | In and NotIn need values
                    {monitoring: {from: [{podSelector: {matchExpressions: [{key: app, operator: Exists, values: [x]}]}}]}} | In and NotIn need values
                    {image: ''}                                         | spec.image
                    """)
    void aMalformedResourceIsRefusedWithASentenceThatNamesTheField(String spec, String sentence) {
        assertThatThrownBy(() -> clusters.apply(spec))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ipBlock: {cidr: 0.0.0.0/0}}",
                "{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.255.255.255/32]}}",
                "{ipBlock: {cidr: '::/0'}}",
                "{ipBlock: {cidr: 'fd00::/8', except: ['fd00:1::/64']}}",
                "{ipBlock: {cidr: '2001:db8:1:2:3:4:5:6/128'}}",
                "{podSelector: {}, namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}",
                "{podSelector: {matchExpressions: [{key: example.com/app, operator: In, values: [a, b]}, {key: c, operator: DoesNotExist}]}}"
            })
    void everyPeerOfANetworkPolicyIsTaken(String peer) {
        assertThat(clusters.apply("{monitoring: {from: [" + peer + "]}}")
                        .getSpec()
                        .monitoring()
                        .from())
                .hasSize(1);
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
