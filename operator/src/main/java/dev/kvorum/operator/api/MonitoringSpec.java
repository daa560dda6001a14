package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/** What the Prometheus operator is told, where there is one. */
public record MonitoringSpec(
        @JsonPropertyDescription("Whether there is a PodMonitor for the nodes; only where Kubernetes knows that kind.")
        @Default("false")
        boolean podMonitor,

        @JsonPropertyDescription("How often metrics are taken, as 30s.")
        @Default("30s")
        @Size(max = 16)
        @Pattern("^[1-9][0-9]*(ms|s|m|h)$")
        String interval) {}
