package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/** Processors and memory. */
@ValidationRule(
        value = "!has(self.cpu) || type(self.cpu) == int || isQuantity(self.cpu)",
        fieldPath = ".cpu",
        message = "cpu must be a quantity such as 500m or 2")
@ValidationRule(
        value = "!has(self.memory) || type(self.memory) == int || isQuantity(self.memory)",
        fieldPath = ".memory",
        message = "memory must be a quantity such as 512Mi or 2Gi")
@JsonIgnoreProperties(ignoreUnknown = true)
public record ComputeSpec(
        @JsonPropertyDescription("Processors, as 500m or 2.") @Nullable
        Quantity cpu,

        @JsonPropertyDescription("Memory, as 512Mi or 2Gi.") @Nullable
        Quantity memory) {}
