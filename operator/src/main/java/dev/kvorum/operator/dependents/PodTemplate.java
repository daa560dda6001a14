package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.ComputeSpec;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.ResourcesSpec;
import dev.kvorum.operator.api.Spread;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAffinityTermBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a zone. A function of the spec and nothing else: whatever else it depended on would restart all pods when it changed, an upgrade of the operator above
 * all. A test compares it with a file, so that a change here is seen for what it is.
 */
final class PodTemplate {
    static final String CONTAINER = "node";
    static final String TOPOLOGY_DIRECTORY = "/etc/kvorum";
    static final String TOPOLOGY_FILE = "topology.json";

    private static final long USER = 10001;
    private static final String DATA_MOUNT = "/var/lib/kvorum";
    // Below the mount: the root of a volume may hold what is the file system's, like lost+found.
    private static final String DATA_DIRECTORY = DATA_MOUNT + "/node";
    private static final String ZONE_OF_NODES = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";
    private static final int GRACE_SECONDS = 45; // A node takes up to 30 s to finish what clients and members wait for.
    private static final int START_SECONDS =
            600; // Replaying a log takes time; ending it then would only begin it anew.
    private static final int PROBE_SECONDS = 5;
    private static final int SPREAD_WEIGHT = 100;

    private PodTemplate() {}

    static PodTemplateSpec of(ClusterName name, KvorumClusterSpec spec, String zone) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels(name, spec, zone))
                .withAnnotations(new TreeMap<>(spec.pod().annotations()))
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName(name.name())
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds((long) GRACE_SECONDS)
                .withImagePullSecrets(spec.imagePullSecrets().stream()
                        .map(secret -> new LocalObjectReference(secret.name()))
                        .toList())
                .withNodeSelector(name.zoned() ? Map.of(ZONE_OF_NODES, zone) : Map.of())
                .withAffinity(affinity(name, spec))
                .withTolerations(spec.pod().tolerations())
                .withPriorityClassName(spec.pod().priorityClassName())
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(container(name, spec))
                .addNewVolume()
                .withName("topology")
                .withNewConfigMap()
                .withName(name.topology())
                .endConfigMap()
                .endVolume()
                .endSpec()
                .build();
    }

    private static Map<String, String> labels(ClusterName name, KvorumClusterSpec spec, String zone) {
        Map<String, String> labels = new TreeMap<>(spec.pod().labels());
        labels.putAll(Labels.of(name));
        labels.put(Labels.ZONE, zone);
        return labels;
    }

    private static Container container(ClusterName name, KvorumClusterSpec spec) {
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(spec.image())
                .withEnv(environment(spec))
                .addNewPort()
                .withName("api")
                .withContainerPort(ClusterName.API_PORT)
                .endPort()
                .addNewPort()
                .withName("peer")
                .withContainerPort(ClusterName.PEER_PORT)
                .endPort()
                .addNewPort()
                .withName("management")
                .withContainerPort(ClusterName.MANAGEMENT_PORT)
                .endPort()
                .withResources(resources(spec.resources()))
                .withStartupProbe(probe("liveness", START_SECONDS / 2, 2))
                .withLivenessProbe(probe("liveness", 6, PROBE_SECONDS))
                .withReadinessProbe(probe("readiness", 2, 2))
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .addNewVolumeMount()
                .withName(name.volumeTemplate())
                .withMountPath(DATA_MOUNT)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("topology")
                .withMountPath(TOPOLOGY_DIRECTORY)
                .withReadOnly(true)
                .endVolumeMount()
                .build();
    }

    private static List<EnvVar> environment(KvorumClusterSpec spec) {
        return List.of(
                new EnvVarBuilder()
                        .withName("KVORUM_NODE_ID")
                        .withNewValueFrom()
                        .withNewFieldRef()
                        .withFieldPath("metadata.name")
                        .endFieldRef()
                        .endValueFrom()
                        .build(),
                variable("KVORUM_DATA_DIR", DATA_DIRECTORY),
                variable("KVORUM_TOPOLOGY_FILE", TOPOLOGY_DIRECTORY + "/" + TOPOLOGY_FILE),
                variable("KVORUM_AWAIT_MEMBERSHIP", "true"),
                variable(
                        "KVORUM_QUORUM_READ_ACK", Integer.toString(spec.quorum().read())),
                variable(
                        "KVORUM_QUORUM_WRITE_ACK",
                        Integer.toString(spec.quorum().write())),
                variable("KVORUM_STORAGE_DURABILITY", spec.durability().name()));
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    private static ResourceRequirements resources(ResourcesSpec resources) {
        return new ResourceRequirementsBuilder()
                .withRequests(quantities(resources.requests()))
                .withLimits(quantities(resources.limits()))
                .build();
    }

    private static Map<String, Quantity> quantities(@Nullable ComputeSpec compute) {
        Map<String, Quantity> quantities = new TreeMap<>();
        if (compute != null && compute.cpu() != null) {
            quantities.put("cpu", compute.cpu());
        }
        if (compute != null && compute.memory() != null) {
            quantities.put("memory", compute.memory());
        }
        return quantities;
    }

    private static Probe probe(String of, int failures, int periodSeconds) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath("/actuator/health/" + of)
                .withNewPort("management")
                .endHttpGet()
                .withPeriodSeconds(periodSeconds)
                .withTimeoutSeconds(PROBE_SECONDS)
                .withFailureThreshold(failures)
                .build();
    }

    /** What the user asks for, and that the nodes of a cluster keep apart. */
    private static Affinity affinity(ClusterName name, KvorumClusterSpec spec) {
        PodAffinityTerm apart = new PodAffinityTermBuilder()
                .withTopologyKey(HOST)
                .withNewLabelSelector()
                .withMatchLabels(Labels.selecting(name))
                .endLabelSelector()
                .build();
        Affinity asked = spec.pod().affinity();
        AffinityBuilder affinity = asked == null ? new AffinityBuilder() : new AffinityBuilder(asked);
        return spec.spread() == Spread.Required
                ? affinity.editOrNewPodAntiAffinity()
                        .addToRequiredDuringSchedulingIgnoredDuringExecution(apart)
                        .endPodAntiAffinity()
                        .build()
                : affinity.editOrNewPodAntiAffinity()
                        .addNewPreferredDuringSchedulingIgnoredDuringExecution()
                        .withWeight(SPREAD_WEIGHT)
                        .withPodAffinityTerm(apart)
                        .endPreferredDuringSchedulingIgnoredDuringExecution()
                        .endPodAntiAffinity()
                        .build();
    }
}
