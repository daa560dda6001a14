package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.kvorum.topology.Topology;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;

/** What is asked for. The API server fills in the defaults and refuses what can't be, so no field that has a default is ever null. */
@ValidationRule(
        value = "self.replicas >= self.replicationFactor",
        fieldPath = ".replicas",
        message = "spec.replicas must be at least spec.replicationFactor: with fewer nodes keys would lose copies")
@ValidationRule(
        value = "self.replicationFactor == oldSelf.replicationFactor",
        fieldPath = ".replicationFactor",
        message =
                "spec.replicationFactor can't be changed: create another cluster, and ask for more copies per request until then (from=)")
@ValidationRule(
        value = "self.partitions == oldSelf.partitions",
        fieldPath = ".partitions",
        message = "spec.partitions can't be changed: keys are hashed into them; create another cluster")
@ValidationRule(
        value = "size(self.zones) <= self.replicas",
        fieldPath = ".zones",
        message = "spec.zones must not name more zones than spec.replicas: each zone needs a node")
@ValidationRule(
        value = "(size(self.zones) == 0) == (size(oldSelf.zones) == 0)",
        fieldPath = ".zones",
        message =
                "spec.zones can't be given to a cluster without zones, or be emptied: all of its pods would be others; create another cluster")
@ValidationRule(
        value = "self.quorum.read <= self.replicationFactor && self.quorum.write <= self.replicationFactor",
        fieldPath = ".quorum",
        message = "spec.quorum.read and spec.quorum.write must be at most spec.replicationFactor")
@ValidationRule(
        value =
                "has(self.storage.storageClassName) == has(oldSelf.storage.storageClassName) && (!has(self.storage.storageClassName) || self.storage.storageClassName == oldSelf.storage.storageClassName)",
        fieldPath = ".storage.storageClassName",
        message = "spec.storage.storageClassName can't be changed: volumes stay where they are; create another cluster")
@ValidationRule(
        value = "!self.paused || self.storage.retention == oldSelf.storage.retention",
        fieldPath = ".storage.retention",
        message =
                "spec.storage.retention can't be changed while spec.paused is true: the volumes would go by the former one; resume first")
@SchemaCustomizer(value = SchemaDetails.class, input = """
                {
                  "zones": {"default": [], "x-kubernetes-list-type": "set"},
                  "imagePullSecrets": {"default": [], "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
                  "quorum": {"default": {}},
                  "storage": {"default": {}},
                  "resources": {"default": {"requests": {"cpu": "250m", "memory": "512Mi"}, "limits": {"memory": "512Mi"}}},
                  "pod": {"default": {}},
                  "monitoring": {"default": {}},
                  "scaling": {"default": {}}
                }
                """)
@JsonIgnoreProperties(ignoreUnknown = true)
public record KvorumClusterSpec(
        @JsonPropertyDescription(
                "How many nodes. Changing it moves data: nodes are added, or removed when others hold what they held. At least replicationFactor.")
        @Default("3")
        @Min(1)
        @Max(Topology.MEMBERS_MAX)
        @SpecReplicas
        int replicas,

        @JsonPropertyDescription("How many copies of a key, unless a request says otherwise. Can't be changed.")
        @Default("" + Topology.REPLICATION_FACTOR_DEFAULT)
        @Min(1)
        @Max(Topology.REPLICATION_FACTOR_MAX)
        int replicationFactor,

        @JsonPropertyDescription("How many ranges keys are hashed into. Can't be changed.")
        @Default("" + Topology.PARTITIONS_DEFAULT)
        @Min(1)
        @Max(Topology.PARTITIONS_MAX)
        int partitions,

        @JsonPropertyDescription(
                "Zones to spread nodes and copies over, as the label topology.kubernetes.io/zone of Kubernetes nodes names them. Empty: no zones are asked for. One may be added or removed, but not the first or the last.")
        @Size(max = 16)
        List<@Size(min = 1, max = 30) @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$") String> zones,

        @JsonPropertyDescription(
                "Whether two nodes of the cluster may run on one Kubernetes node: Preferred (not if it can be avoided) or Required (never).")
        @Default("Preferred")
        Spread spread,

        @JsonPropertyDescription("How many replicas must answer, unless a request says otherwise.")
        QuorumSpec quorum,

        @JsonPropertyDescription("The volume of each node.") StorageSpec storage,

        @JsonPropertyDescription(
                "When a write is acknowledged: async (it is with the operating system, and on the disk within 100 ms) or fsync (it is on the disk).")
        @Default("async")
        Durability durability,

        @JsonPropertyDescription(
                "What each node requests of its Kubernetes node, and may use at most. Heap and caches derive from the memory limit.")
        ResourcesSpec resources,

        @JsonPropertyDescription(
                "The image of the nodes. What stands here stays until somebody changes it: an upgrade of the operator does not.")
        @Default("kvorum/node:0.1.0")
        @Size(min = 1, max = 512)
        @Pattern("^[^\\s]+$")
        String image,

        @JsonPropertyDescription("Secrets of this namespace with which the image is pulled.") @Size(max = 16)
        List<SecretReference> imagePullSecrets,

        @JsonPropertyDescription("Where pods may run, and what they are labelled with.")
        PodSettings pod,

        @JsonPropertyDescription("What the Prometheus operator is told.")
        MonitoringSpec monitoring,

        @JsonPropertyDescription("How a change of the number of nodes, or of zones, begins.")
        ScalingSpec scaling,

        @JsonPropertyDescription("If true, the operator does nothing but report. The nodes go on serving.")
        @Default("false")
        boolean paused) {}
