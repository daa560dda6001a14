package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.kvorum.topology.Topology;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** The quorums of requests that name none; 0 is a majority of the replicas asked. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record QuorumSpec(
        @JsonPropertyDescription("How many replicas answer a read; 0 for a majority of those asked.")
        @Default("0")
        @Min(0)
        @Max(Topology.REPLICATION_FACTOR_MAX)
        int read,

        @JsonPropertyDescription("How many replicas answer a write; 0 for a majority of those asked.")
        @Default("0")
        @Min(0)
        @Max(Topology.REPLICATION_FACTOR_MAX)
        int write) {}
