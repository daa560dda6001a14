package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system of its own for a node's data, in memory, that is made as small as what it holds: then its kernel answers {@code ENOSPC}. It
 * outlives the node's process, as a disk does.
 */
public final class SmallFileSystem implements NodeDisk {
    private static final long ROOM_BYTES = 1L << 30; // Memory is taken only for what is stored.
    private static final long PAGE_BYTES = 4096;

    private final Path directory;

    private SmallFileSystem(Path directory) {
        this.directory = directory;
    }

    /**
     * Mounts one there.
     *
     * @throws IOException if this process may not mount
     */
    public static SmallFileSystem mount(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        NodeDisk.run(List.of(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=" + ROOM_BYTES + ",mode=0755",
                "kvorum-chaos",
                directory.toString()));
        return new SmallFileSystem(directory);
    }

    @Override
    public void fill(NodeProcess node) throws IOException, InterruptedException {
        FileStore store = Files.getFileStore(directory);
        resize(Math.max(PAGE_BYTES, store.getTotalSpace() - store.getUnallocatedSpace()));
    }

    @Override
    public void free(NodeProcess node) throws IOException, InterruptedException {
        resize(ROOM_BYTES);
    }

    private void resize(long bytes) throws IOException, InterruptedException {
        NodeDisk.run(List.of("mount", "-o", "remount,size=" + bytes, directory.toString()));
    }

    /** Takes it away with all that it holds, or leaves that where it was mounted. */
    public void unmount(boolean keeps) throws IOException, InterruptedException {
        Path kept = directory.resolveSibling(directory.getFileName() + ".kept");
        if (keeps) {
            NodeDisk.run(List.of("cp", "-a", directory.toString(), kept.toString()));
        }
        NodeDisk.run(List.of("umount", directory.toString()));
        if (keeps) {
            NodeDisk.run(List.of("mv", "-T", kept.toString(), directory.toString()));
        }
    }
}
