package dev.kvorum.node.storage.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files and directories that only their owner may read: modes {@code 0600} and {@code 0700}. Blocks. */
public final class OwnerOnly {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnly.class);
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OTHERS = others();
    private static final String LOST_AND_FOUND = "lost+found"; // Of a new file system.
    private static final int DEPTH_MAX = 2; // The data directory, its databases, and the files of those.

    private OwnerOnly() {}

    private static Set<PosixFilePermission> others() {
        Set<PosixFilePermission> others = EnumSet.allOf(PosixFilePermission.class);
        others.removeAll(DIRECTORY);
        return others;
    }

    /** Makes the directory and its missing parents. A directory that exists keeps its mode. */
    public static void makeDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, attribute(directory, DIRECTORY));
        }
    }

    /**
     * Replaces the content of a file, all of it or nothing, and brings it to the disk. Follows no symbolic link: neither one in the file's
     * place nor one in the place of the new file beside it.
     */
    public static void replace(Path directory, Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh); // A former life's, or a link that somebody else has put there.
        try (FileChannel channel = create(fresh)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(directory); // The name as well, not only what it names.
    }

    /** Makes a file that does not exist, not even as a symbolic link. */
    public static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                attribute(file, FILE));
    }

    public static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static FileAttribute<?>[] attribute(Path path, Set<PosixFilePermission> mode) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Takes the rights of everybody else away from a directory and all that is below it. A right that can't be taken away is logged. */
    static void tighten(Path directory) throws IOException {
        tighten(directory, DEPTH_MAX);
    }

    /** The same of a directory that is to be used for the first time, if it is empty. What others have in it stays as it is. */
    static void tightenEmpty(Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            if (found.anyMatch(path -> !path.endsWith(LOST_AND_FOUND))) {
                return;
            }
        }
        tighten(directory, 0);
    }

    private static void tighten(Path directory, int depthMax) throws IOException {
        if (!isPosix(directory)) {
            return;
        }
        List<Path> wide = new ArrayList<>();
        Files.walkFileTree(directory.toRealPath(), Set.of(), depthMax, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                return visitFile(path, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                if (isWide(path)) {
                    wide.add(path);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException e) {
                return FileVisitResult.CONTINUE; // As root's lost+found: this process has nothing in there.
            }
        });
        if (wide.isEmpty()) {
            return;
        }
        try {
            for (Path path : wide) {
                Set<PosixFilePermission> mode = mode(path);
                mode.removeAll(OTHERS);
                Files.setPosixFilePermissions(path, mode);
            }
            LOG.info(
                    "Others could read or change {} and {} paths in all: now only the owner of this process can",
                    wide.getFirst(),
                    wide.size());
        } catch (FileSystemException e) { // As of a volume that belongs to root and is given to a group.
            LOG.warn(
                    "Others may read or change the data directory {}, as its mode can't be changed: {}. Give it to the user of this process",
                    directory,
                    e.toString());
        }
    }

    private static boolean isWide(Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                return false; // Its mode counts nowhere.
            }
            return mode(path).removeAll(OTHERS);
        } catch (IOException e) {
            return false; // It has gone meanwhile, or is reported by the first use of it.
        }
    }

    private static Set<PosixFilePermission> mode(Path path) throws IOException {
        Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
        mode.addAll(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
        return mode;
    }
}
