package dev.kvorum.node.storage.directory;

import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.MemberDirectory.Alive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member notes of itself and of others in its data directory, from one life to the next: a small file for each. {@link
 * dev.kvorum.node.storage.MemberDirectory} says what each means. All methods but {@link #tenure} block.
 */
final class MemberNotes {
    private static final Logger LOG = LoggerFactory.getLogger(MemberNotes.class);

    private final Path directory;
    private final Path topology;
    private final Path tenures;
    private final Path starts;
    private final Path alive;
    private final Path witnessed;
    private volatile long tenure;

    /** @throws DataDirectoryException if the note of the tenure is damaged */
    MemberNotes(Path directory) {
        this.directory = directory;
        topology = directory.resolve("topology.json");
        tenures = directory.resolve("tenure");
        starts = directory.resolve("starts");
        alive = directory.resolve("alive");
        witnessed = directory.resolve("witnessed");
        tenure = notedTenure();
    }

    Optional<byte[]> lastTopology() {
        try {
            return Files.exists(topology) ? Optional.of(Files.readAllBytes(topology)) : Optional.empty();
        } catch (IOException e) {
            throw damagedTopology(e);
        }
    }

    DataDirectoryException damagedTopology(Exception cause) {
        return new DataDirectoryException(
                "the last topology, " + topology + ", is damaged: " + cause.getMessage(),
                "Put the topology that the other members go by into that file: GET /v0/topology of theirs shows its epoch.",
                cause);
    }

    void keepTopology(byte[] json) {
        try {
            OwnerOnly.replace(directory, topology, new String(json, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw DataDirectoryException.unwritten("the topology can't be kept", directory, e);
        }
    }

    /** As it is in memory: does not block. */
    long tenure() {
        return tenure;
    }

    private long notedTenure() {
        try {
            return Files.exists(tenures)
                    ? Long.parseLong(CheckedNote.read(Files.readString(tenures)).strip())
                    : 0;
        } catch (IOException | IllegalArgumentException e) {
            throw new DataDirectoryException(
                    "the note " + tenures + " of the epoch since which this member has taken part is damaged: "
                            + e.getMessage(),
                    "Empty the directory: what it held is then only on the other replicas, from which it is rebuilt.",
                    e);
        }
    }

    void noteTenure(long epoch) {
        try {
            OwnerOnly.replace(directory, tenures, CheckedNote.of(epoch + "\n"));
            tenure = epoch;
        } catch (IOException e) {
            throw DataDirectoryException.unwritten("that this member was removed can't be noted", directory, e);
        }
    }

    /**
     * Starts are numbered by the clock, and by the last number where the clock was set back. So no two starts of a member have the same number, also where a copy of the directory is
     * put back between them. The number is on the disk when this returns.
     */
    long countStart() throws IOException {
        try {
            long last = Files.exists(starts)
                    ? Long.parseLong(Files.readString(starts).strip())
                    : 0;
            long start = Math.max(last + 1, System.currentTimeMillis());
            OwnerOnly.replace(directory, starts, start + "\n");
            return start;
        } catch (NumberFormatException e) {
            throw new DataDirectoryException(
                    "the note " + starts + " is damaged: " + e.getMessage(),
                    "Remove that file if the clock of this machine is right: starts are numbered by it.",
                    e);
        }
    }

    Optional<Alive> lastAlive() {
        try {
            return Files.exists(alive) ? Optional.of(Alive.parse(Files.readString(alive))) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new DataDirectoryException(
                    "the note " + alive + " of when this member was last alive is damaged: " + e.getMessage(),
                    "Remove that file if the member was away for less than kvorum.repair.tombstone-grace; otherwise empty the"
                            + " directory: what it held is then only on the other replicas.",
                    e);
        }
    }

    void noteAlive(Alive times) throws IOException {
        OwnerOnly.replace(directory, alive, times + "\n");
    }

    Optional<String> witnessed() {
        try {
            return Optional.of(CheckedNote.read(Files.readString(witnessed)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn(
                    "The note {} of how far other members had come can't be read: {}. It is made anew",
                    witnessed,
                    e.toString());
            return Optional.empty();
        }
    }

    void noteWitnessed(String note) throws IOException {
        OwnerOnly.replace(directory, witnessed, CheckedNote.of(note));
    }
}
