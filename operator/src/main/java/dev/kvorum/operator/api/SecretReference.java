package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A secret of the cluster's namespace. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SecretReference(
        @JsonPropertyDescription("Its name.") @Required @Size(min = 1, max = 253)
        String name) {}
