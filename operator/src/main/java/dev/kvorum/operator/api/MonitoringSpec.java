package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.List;

/** Monitoring of the nodes: the Prometheus operator's PodMonitor, and access to the port that serves metrics. */
@SchemaCustomizer(
        value = SchemaDetails.class,
        input = "{\"from\": {\"default\": [], \"x-kubernetes-list-type\": \"atomic\", \"items\": " + PeerRules.PEER
                + "}}")
@JsonIgnoreProperties(ignoreUnknown = true)
public record MonitoringSpec(
        @JsonPropertyDescription("Whether there is a PodMonitor for the nodes; only where Kubernetes knows that kind.")
        @Default("false")
        boolean podMonitor,

        @JsonPropertyDescription("How often metrics are taken, as 30s.")
        @Default("30s")
        @Size(max = 16)
        @Pattern("^[1-9][0-9]*(ms|s|m|h)$")
        String interval,

        @JsonPropertyDescription(
                "Peers that may reach the management port (8081), as a NetworkPolicy names them: Prometheus, for one. The operator and the kubelet always may.")
        @Size(max = 16)
        List<NetworkPolicyPeer> from) {}
