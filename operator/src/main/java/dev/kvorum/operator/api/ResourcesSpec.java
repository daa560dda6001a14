package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What each node requests, and may use at most. */
@ValidationRule(
        value =
                "!has(self.requests) || !has(self.limits) || !has(self.requests.memory) || !has(self.limits.memory) || quantity(string(self.requests.memory)).compareTo(quantity(string(self.limits.memory))) <= 0",
        fieldPath = ".requests",
        message = "resources.requests.memory must be at most resources.limits.memory")
@ValidationRule(
        value =
                "!has(self.requests) || !has(self.limits) || !has(self.requests.cpu) || !has(self.limits.cpu) || quantity(string(self.requests.cpu)).compareTo(quantity(string(self.limits.cpu))) <= 0",
        fieldPath = ".requests",
        message = "resources.requests.cpu must be at most resources.limits.cpu")
@JsonIgnoreProperties(ignoreUnknown = true)
public record ResourcesSpec(
        @JsonPropertyDescription("What is kept free for a node; what Kubernetes derives from limits if left out.")
        @Nullable
        ComputeSpec requests,

        @JsonPropertyDescription(
                "What a node may use at most. Without a limit of memory it sizes itself by that of the machine.")
        @Nullable
        ComputeSpec limits) {}
