package dev.kvorum.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The topology file that a cluster begins with, in a directory that all containers mount. Later topologies are in the nodes alone. */
final class TopologyDocument {
    private static final JsonMapper JSON = new JsonMapper();

    private final Path directory;

    TopologyDocument(Path directory) {
        this.directory = directory;
    }

    /** Writes the first epoch. */
    void write(String cluster, int replicationFactor, List<Member> members) {
        ObjectNode root = JSON.createObjectNode()
                .put("cluster", cluster)
                .put("epoch", 1)
                .put("replicationFactor", replicationFactor);
        ArrayNode list = root.putArray("members");
        for (Member member : members) {
            list.addObject()
                    .put("id", member.id())
                    .put("api", member.api())
                    .put("peer", member.peer())
                    .put("zone", member.zone());
        }
        try {
            Files.createDirectories(directory);
            Files.writeString(file(), JSON.writeValueAsString(root));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path directory() {
        return directory;
    }

    Path file() {
        return directory.resolve("topology.json");
    }

    /** A line of it. */
    record Member(String id, String api, String peer, String zone) {
        /** As the commands take it. */
        String option() {
            return "--add=id=" + id + ",api=" + api + ",peer=" + peer + ",zone=" + zone;
        }
    }
}
