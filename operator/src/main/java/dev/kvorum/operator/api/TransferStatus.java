package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The data that a change of the members moves, and how much of it has been moved. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record TransferStatus(
        @JsonPropertyDescription("Bytes to be moved; left out where nobody has counted them.") @Nullable
        Long bytes,

        @JsonPropertyDescription("Bytes moved.") @Nullable Long bytesMoved,

        @JsonPropertyDescription("Partitions that get further owners.") @Nullable
        Integer partitions,

        @JsonPropertyDescription("Of those, the ones whose new owners have been verified to hold them.") @Nullable
        Integer partitionsVerified,

        @JsonPropertyDescription(
                "How long the moving takes at the present limits, in seconds; left out where nobody knows.")
        @Nullable
        Long seconds) {}
