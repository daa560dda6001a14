package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The volume of each node. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StorageSpec(
        @JsonPropertyDescription("Size of each volume, as 10Gi. Raising it expands the volumes, where their class can.")
        @Default("10Gi")
        @Size(max = 32)
        @Pattern("^[1-9][0-9]*(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?$")
        String size,

        @JsonPropertyDescription(
                "Class of the volumes; the one that is default in Kubernetes if left out. Can't be changed.")
        @Size(min = 1, max = 253)
        @Nullable
        String storageClassName,

        @JsonPropertyDescription(
                "What becomes of volumes that are not needed any more, because their node was removed or the cluster deleted: Retain or Delete. That of a removed node is deleted only when others have been verified to hold what it held.")
        @Default("Retain")
        Retention retention) {}
