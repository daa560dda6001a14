package dev.kvorum.e2e.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The topology file, in a directory that all containers mount. */
final class TopologyDocument {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ZONES = 3;

    private final Path directory;
    private final String cluster;
    private final int replicationFactor;
    private int epoch;

    TopologyDocument(Path directory, String cluster, int replicationFactor) {
        this.directory = directory;
        this.cluster = cluster;
        this.replicationFactor = replicationFactor;
    }

    /**
     * Writes the next epoch over the former one, at once.
     *
     * @param reads which owners reads ask while members are joining or leaving: CURRENT or NEXT
     */
    int write(List<Member> members, String reads) {
        epoch++;
        ObjectNode root = JSON.createObjectNode()
                .put("cluster", cluster)
                .put("epoch", epoch)
                .put("replicationFactor", replicationFactor)
                .put("reads", reads);
        ArrayNode list = root.putArray("members");
        for (Member member : members) {
            list.addObject()
                    .put("id", member.id())
                    .put("api", member.api())
                    .put("peer", member.peer())
                    .put("zone", "z" + (member.number() - 1) % ZONES)
                    .put("state", member.state());
        }
        try {
            Files.createDirectories(directory);
            Path fresh = directory.resolve("topology.json.new");
            Files.writeString(fresh, JSON.writeValueAsString(root));
            Files.move(fresh, directory.resolve("topology.json"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return epoch;
    }

    Path directory() {
        return directory;
    }

    /** A line of it. */
    record Member(int number, String id, String api, String peer, String state) {}
}
