package dev.kvorum.operator.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Phase;
import dev.kvorum.operator.api.Specs;
import dev.kvorum.operator.api.UnreadCluster;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources of another version's definition. */
class ClusterReaderTest {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    /** As an API server with an older definition, or none, hands them over. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{spec: null, status: null}",
                "{spec: {}}",
                "{spec: {replicas: null, zones: null, storage: null, pod: {labels: null}, monitoring: {from: null}}}",
                "{spec: {storage: {}, quorum: {}, pod: {}, monitoring: {}, scaling: {}}, status: {}}"
            })
    void absentFieldsHaveTheirDefaults(String object) {
        assertThat(understood(object).getSpec()).isEqualTo(Specs.spec("{}"));
        assertThat(understood(object).getStatus()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tier: gold}",
                "{quorum: {mode: sloppy}}",
                "{storage: {encryption: {key: k}}}",
                "{resources: {requests: {cpu: 250m, memory: 512Mi, gpu: 1}, limits: {memory: 512Mi}, claims: []}}",
                "{pod: {runtimeClassName: gvisor}}",
                "{monitoring: {path: /m}}",
                "{scaling: {window: nightly}}"
            })
    void unknownFieldsAreIgnored(String spec) {
        assertThat(understood("{spec: " + spec + "}").getSpec()).isEqualTo(Specs.spec("{}"));
    }

    @Test
    void unknownFieldsBesideTheSpecAreIgnored() {
        assertThat(understood("{spec: {}, data: 3, scale: {factor: 2}}").getSpec())
                .isEqualTo(Specs.spec("{}"));
    }

    @Test
    void unknownFieldsInListsAreIgnored() {
        assertThat(understood("{spec: {imagePullSecrets: [{name: registry, kind: Token}]}}")
                        .getSpec()
                        .imagePullSecrets()
                        .getFirst()
                        .name())
                .isEqualTo("registry");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {storage: {retention: Archive}}         | spec.storage.retention is "Archive", but this operator knows Delete, Retain
                    {durability: quorum}                    | spec.durability is "quorum", but this operator knows async, fsync
                    {spread: Zonal}                         | spec.spread is "Zonal", but this operator knows Preferred, Required
                    {scaling: {approval: 7}}                | spec.scaling.approval is 7, but must be a string
                    {replicas: many}                        | spec.replicas is "many", but must be an integer
                    {replicas: '3'}                         | spec.replicas is "3", but must be an integer
                    {replicas: 3.5}                         | spec.replicas is 3.5, but must be an integer
                    {replicas: 300}                         | spec.replicas is 300, but must be at most 255
                    {replicationFactor: 0}                  | spec.replicationFactor is 0, but must be at least 1
                    {partitions: 99999999999999999999}      | spec.partitions is 99999999999999999999, but must be an integer
                    {paused: sometimes}                     | spec.paused is "sometimes", but must be true or false
                    {zones: a}                              | spec.zones is "a", but must be a list
                    {zones: [a, null]}                      | spec.zones[1] is null, but must be a string
                    {zones: [{name: a}]}                    | spec.zones[0] is {"name":"a"}, but must be a string
                    {storage: {size: 1.5Gi}}                | spec.storage.size is "1.5Gi", but must match
                    {storage: large}                        | spec.storage is "large", but must be an object
                    {imagePullSecrets: [{}]}                | spec.imagePullSecrets[0].name is missing
                    {pod: {labels: {team: 7}}}              | spec.pod.labels.team is 7, but must be a string
                    {pod: {affinity: near}}                 | spec.pod.affinity is "near", but must be an object
                    {pod: {affinity: {nodeAffinity: far}}}  | spec.pod.affinity.nodeAffinity is "far", but must be an object
                    {pod: {tolerations: [{key: [a]}]}}      | spec.pod.tolerations[0].key is ["a"], but must be a string
                    {replicas: 1e999999}                    | spec.replicas is
                    {resources: {limits: {memory: [1Gi]}}}  | spec.resources.limits.memory is ["1Gi"], but must be a number or a string
                    nothing                                 | spec is "nothing", but must be an object
                    [3]                                     | spec is [3], but must be an object
                    """)
    void whatIsNotKnownIsTold(String spec, String told) {
        ClusterReading reading = read("{spec: " + spec + "}");

        assertThat(reading)
                .isInstanceOfSatisfying(
                        ClusterReading.NotUnderstood.class,
                        not -> assertThat(not.why()).startsWith(told));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "[]",
                "{phase: Hibernating}",
                "{conditions: none}",
                "{conditions: [{type: Ready}]}",
                "{members: [{}]}",
                "{epoch: many}",
                "{replicas: 99999999999}"
            })
    void aStatusThatIsNotKnownIsNoObstacle(String status) {
        assertThat(understood("{status: " + status + "}").getSpec()).isEqualTo(Specs.spec("{}"));
    }

    @Test
    void theRestOfAStatusIsStillKnown() {
        KvorumCluster cluster = understood(
                "{status: {phase: Hibernating, epoch: 7, volumeSize: 10Gi, temperature: cold, conditions: [{type: Ready, status: 'True', reason: r, message: m, observedGeneration: 1, lastTransitionTime: t, severity: low}]}}");

        assertThat(cluster.getStatus().phase()).isEqualTo(Phase.Degraded);
        assertThat(cluster.getStatus().epoch()).isEqualTo(7);
        assertThat(cluster.getStatus().volumeSize()).isEqualTo("10Gi");
        assertThat(cluster.getStatus().members()).isEmpty();
        assertThat(cluster.getStatus().conditions())
                .extracting(condition -> condition.getType())
                .containsExactly("Ready");
    }

    @Test
    void quantityThatIsNoneIsTold() {
        assertThat(read("{spec: {resources: {requests: {cpu: ''}}}}"))
                .isInstanceOfSatisfying(
                        ClusterReading.NotUnderstood.class,
                        not -> assertThat(not.why())
                                .isEqualTo("spec.resources.requests.cpu is \"\", which can't be read"));
    }

    @Test
    void theObjectIsLeftAsItIs() {
        UnreadCluster unread = unread("{spec: {tier: gold}, status: {phase: Hibernating}}");
        JsonNode before = SERIALIZATION.convertValue(unread, JsonNode.class).deepCopy();

        var _ = new ClusterReader().read(unread);

        assertThat(SERIALIZATION.convertValue(unread, JsonNode.class)).isEqualTo(before);
    }

    private static KvorumCluster understood(String object) {
        ClusterReading reading = read(object);
        assertThat(reading).isInstanceOf(ClusterReading.Understood.class);
        return ((ClusterReading.Understood) reading).cluster();
    }

    private static ClusterReading read(String object) {
        return new ClusterReader().read(unread(object));
    }

    private static UnreadCluster unread(String object) {
        return SERIALIZATION.unmarshal("---\n" + object, UnreadCluster.class);
    }
}
