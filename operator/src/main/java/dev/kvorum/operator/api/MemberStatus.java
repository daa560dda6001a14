package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** One node. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MemberStatus(
        @JsonPropertyDescription("Its id in the topology, which is the name of its pod.") @Required
        String id,

        @JsonPropertyDescription("Its zone; default where the cluster has none.")
        String zone,

        @JsonPropertyDescription(
                "JOINING, ACTIVE or LEAVING in the topology; STARTING before it is in it, REMOVED after it.")
        String state,

        @JsonPropertyDescription("Whether its pod is ready.")
        boolean ready,

        @JsonPropertyDescription("The epoch that it last said it goes by; left out where it can't be asked.") @Nullable
        Long epoch,

        @JsonPropertyDescription("Bytes of its data; left out where it does not say.") @Nullable
        Long bytes) {}
