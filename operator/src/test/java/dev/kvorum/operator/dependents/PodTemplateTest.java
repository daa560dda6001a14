package dev.kvorum.operator.dependents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Specs;
import dev.kvorum.operator.cluster.ClusterName;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * An upgrade of the operator restarts no data pod: what it makes of a spec is what the one before made of it. If one of these fails, either undo the change, or accept that every
 * pod of every cluster is replaced when the operator is upgraded, say so in the release notes, and write the files anew with {@code -Dkvorum.golden.write=true}.
 */
class PodTemplateTest {
    private static final Path GOLDEN = Path.of("src/test/resources/pod-templates");

    @Test
    void theTemplateOfAnEmptySpecIsWhatItWas() throws IOException {
        compare("defaults.yaml", "", false);
    }

    @Test
    void theTemplateOfASpecThatSaysEverythingIsWhatItWas() throws IOException {
        compare("everything.yaml", """
                zones: [a, b]
                spread: Required
                quorum: {read: 1, write: 3}
                durability: fsync
                image: registry.example/kvorum:2
                imagePullSecrets: [{name: registry}]
                resources: {requests: {cpu: 1, memory: 2Gi}, limits: {cpu: 2, memory: 2Gi}}
                pod:
                  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}
                  tolerations: [{key: storage, operator: Exists}]
                  priorityClassName: high
                  labels: {team: shop}
                  annotations: {note: kept}
                """, true);
    }

    /** What changes without a restart: it must not be in the template. */
    @Test
    void replicasStorageScalingMonitoringAndPauseAreNotInTheTemplate() {
        String other = yaml(
                "{replicas: 7, storage: {size: 20Gi, retention: Delete}, scaling: {approval: Manual}, monitoring: {podMonitor: true, from: [{ipBlock: {cidr: 10.9.0.0/16}}]}, paused: true}",
                false);

        assertThat(other).isEqualTo(yaml("", false));
    }

    private static void compare(String file, String spec, boolean zoned) throws IOException {
        String made = yaml(spec, zoned);
        if (Boolean.getBoolean("kvorum.golden.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(GOLDEN.resolve(file), made);
        }
        assertThat(made).isEqualTo(Files.readString(GOLDEN.resolve(file), StandardCharsets.UTF_8));
    }

    private static String yaml(String spec, boolean zoned) {
        ClusterName name = new ClusterName("shop", "demo", zoned);
        return new KubernetesSerialization().asYaml(PodTemplate.of(name, Specs.spec(spec), zoned ? "a" : "default"));
    }
}
