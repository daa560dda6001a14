package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What each node requests, and may use at most. */
public record ResourcesSpec(
        @JsonPropertyDescription("What is kept free for a node; what Kubernetes derives from limits if left out.")
        @Nullable
        ComputeSpec requests,

        @JsonPropertyDescription(
                "What a node may use at most. Without a limit of memory it sizes itself by that of the machine.")
        @Nullable
        ComputeSpec limits) {}
