package dev.kvorum.node.command;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Repairs the data directory of a node that is stopped: gives the topology that it has kept a lower epoch, and changes nothing else of it. For a cluster
 * whose epoch leaves no room for the next change.
 *
 * @param directory the node's data directory
 * @param epoch that it goes by when it starts again
 */
record LowerEpoch(Path directory, long epoch) {
    private static final String TOPOLOGY = "topology.json";
    private static final String LOCK = "cells/LOCK"; // The database holds it while the node runs.
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * Blocks. A directory that has this epoch already stays as it is.
     *
     * @throws RefusedCommandException if the directory can't be repaired; then nothing has changed
     */
    void run(PrintStream out) {
        Path file = directory.resolve(TOPOLOGY);
        try (FileChannel database = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = database.tryLock()) {
            if (lock == null) {
                throw new RefusedCommandException(
                        "A node is running on " + directory + ". Stop all nodes of the cluster first.");
            }
            out.println(lower(file));
        } catch (IOException e) {
            throw new RefusedCommandException(directory + " is no data directory that can be repaired: " + e);
        }
    }

    private String lower(Path file) throws IOException {
        ObjectNode kept = kept(file);
        JsonNode present = kept.path("epoch");
        if (!present.isIntegralNumber() || present.bigIntegerValue().compareTo(BigInteger.valueOf(epoch)) < 0) {
            throw new RefusedCommandException(
                    file + " has epoch " + present + ", which is not above " + epoch + ": it is not changed.");
        }
        kept.put("epoch", epoch);
        try {
            replace(file, TopologyJson.write(TopologyJson.read(JSON.writeValueAsBytes(kept))));
        } catch (InvalidTopologyException e) {
            throw new RefusedCommandException(file + " can't be used, and is not changed: " + e.getMessage());
        }
        return file + " had epoch " + present + " and now has " + epoch + ".";
    }

    private static ObjectNode kept(Path file) throws IOException {
        try {
            if (JSON.readTree(Files.readAllBytes(file)) instanceof ObjectNode topology) {
                return topology;
            }
        } catch (JacksonException e) {
            throw new RefusedCommandException(file + " is not JSON: " + e.getOriginalMessage());
        }
        throw new RefusedCommandException(file + " is not a JSON object");
    }

    /** All of it or nothing, and on the disk when it returns. */
    private void replace(Path file, byte[] json) throws IOException {
        Path fresh = Files.createTempFile(directory, TOPOLOGY, ".lowered");
        try {
            Files.write(fresh, json, StandardOpenOption.SYNC);
            Files.setOwner(
                    fresh, Files.getOwner(file)); // The node's user must read it, though root may run the command.
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
