package dev.kvorum.node.storage.directory;

import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.DataDirectoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The note that a node runs on a data directory, with the id of the machine's boot. The node removes it when it ends in order, so the next one can tell whether the machine has stopped
 * under it. All methods block.
 */
final class RunningNote {
    private static final Logger LOG = LoggerFactory.getLogger(RunningNote.class);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path directory;
    private final Path file;

    RunningNote(Path directory) {
        this.directory = directory;
        file = directory.resolve("running");
    }

    /** Whether the last node was not sure to have all on the disk, and the machine has stopped since. False where the system does not say so. */
    boolean wasCutOff() {
        try {
            String[] note = Files.readString(file).strip().split(" ", -1);
            boolean syncsEachWrite = note.length == 2 && note[1].equals(Durability.FSYNC.name());
            Optional<String> boot = bootId();
            if (boot.isEmpty()) {
                LOG.warn("Whether the machine has stopped without notice can't be told: there is no {}", BOOT_ID);
            }
            return boot.isPresent() && !syncsEachWrite && !boot.get().equals(note[0]);
        } catch (NoSuchFileException e) {
            return false; // The last one has ended in order.
        } catch (IOException e) {
            LOG.warn("Whether the machine has stopped without notice can't be told: {}", e.toString());
            return false;
        }
    }

    private static Optional<String> bootId() throws IOException {
        return Files.exists(BOOT_ID) ? Optional.of(Files.readString(BOOT_ID).strip()) : Optional.empty();
    }

    void write(Durability durability) {
        try {
            OwnerOnly.replace(directory, file, bootId().orElse("unknown") + " " + durability + "\n");
        } catch (IOException e) {
            throw DataDirectoryException.unwritten("that a node runs can't be noted", directory, e);
        }
    }

    void remove() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn(
                    "That this node has ended can't be noted: {}. Should the machine stop now, its data is compared with the others",
                    e.toString());
        }
    }
}
