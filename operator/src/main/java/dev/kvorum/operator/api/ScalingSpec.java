package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;

/** How a change of the members begins. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ScalingSpec(
        @JsonPropertyDescription(
                "Automatic (a change begins at once) or Manual (its plan waits in the status until the annotation kvorum.dev/approve-scaling names it).")
        @Default("Automatic")
        Approval approval) {}
