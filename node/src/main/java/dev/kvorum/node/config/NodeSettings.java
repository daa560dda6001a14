package dev.kvorum.node.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who this node is, and where its files and its peers' port are.
 *
 * @param nodeId id of this node, as the topology file names it. Required.
 * @param dataDir directory of this node's data; made if it is missing. Required.
 * @param topologyFile file that names the members of the cluster; read again when it changes. Required.
 * @param peerAddress address on which the peers' port listens: it has no authentication, so not one that strangers reach.
 * @param peerPort port for the other members, 0 to 65535; 0 takes a free one.
 * @param rehearsalMax how long a node that starts may take to connect to the members that are up, before it serves clients, 0s to 5m; 0s
 *     serves them at once. Members that are down prolong it by less than a second.
 * @param awaitMembership whether it starts though the topology does not name it, and waits until one does. Otherwise that is refused, as it is mostly a mistake.
 */
@ConfigurationProperties("kvorum")
public record NodeSettings(
        String nodeId,
        Path dataDir,
        Path topologyFile,
        @DefaultValue("0.0.0.0") String peerAddress,
        @DefaultValue("9090") int peerPort,
        @DefaultValue("5s") Duration rehearsalMax,
        @DefaultValue("false") boolean awaitMembership) {
    public NodeSettings {
        requirePresent("kvorum.node-id", nodeId);
        requirePresent("kvorum.data-dir", dataDir);
        requirePresent("kvorum.topology-file", topologyFile);
        Require.range("kvorum.peer-port", peerPort, 0, 0xFFFF);
        Require.range("kvorum.rehearsal-max", rehearsalMax, Duration.ZERO, Duration.ofMinutes(5));
    }

    // The binder passes null for what nobody set.
    private static void requirePresent(String option, @Nullable Object value) {
        if (value == null || value.toString().isBlank()) {
            throw new IllegalArgumentException(option + " is missing: pass --" + option + "=...");
        }
    }
}
