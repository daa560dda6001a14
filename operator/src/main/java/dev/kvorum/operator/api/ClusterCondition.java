package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** One thing that holds of the cluster, or does not, as Kubernetes writes such things. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ClusterCondition(
        @JsonPropertyDescription("Ready, Available, Progressing, Degraded, Scaling or Valid.") @Required
        String type,

        @JsonPropertyDescription("True, False or Unknown.") @Required
        String status,

        @JsonPropertyDescription("Why, in one word for programs.") @Required
        String reason,

        @JsonPropertyDescription("Why, in a sentence.") @Required
        String message,

        @JsonPropertyDescription("The generation of the spec that this is about.") @Required
        long observedGeneration,

        @JsonPropertyDescription("Since when the status is what it is.") @Required
        String lastTransitionTime) {}
