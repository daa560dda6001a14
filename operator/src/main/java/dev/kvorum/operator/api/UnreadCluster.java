package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * A {@code KvorumCluster} as it comes from the API server, with spec and status as plain JSON. A watch parses each of them: one object of a newer or an older definition
 * must not end it for all others.
 */
@Group("kvorum.dev")
@Version("v1alpha1")
@Kind("KvorumCluster")
@Plural("kvorumclusters")
@Singular("kvorumcluster")
@JsonIgnoreProperties(ignoreUnknown = true) // Beside spec and status.
public final class UnreadCluster extends CustomResource<@Nullable JsonNode, @Nullable JsonNode> implements Namespaced {
    @Override
    protected @Nullable JsonNode initSpec() {
        return null;
    }

    @Override
    protected @Nullable JsonNode initStatus() {
        return null;
    }
}
