package dev.kvorum.node.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes calls of processes on their files fail with any error of the system: by a library that is loaded into them first. Needs a C compiler. */
public final class FaultyDisk {
    /** What a process asks of a file. */
    public enum Call {
        OPEN,
        WRITE,
        SYNC,
        LOCK
    }

    /** An error of the system. */
    public enum Errno {
        EIO(5, "Input/output error"),
        EINVAL(22, "Invalid argument"),
        ENOLCK(37, "No locks available"),
        ENOSYS(38, "Function not implemented"),
        EDQUOT(122, "Disk quota exceeded");

        private final int number;
        private final String text;

        Errno(int number, String text) {
            this.number = number;
            this.text = text;
        }

        /** What the C library says of it. */
        public String text() {
            return text;
        }
    }

    private final Path library;
    private final Path faults;
    private final List<String> lines = new ArrayList<>();

    /** @param directory where its files lie, which is not the disk that fails */
    public FaultyDisk(Path directory) throws IOException {
        this.library = PreloadedLibrary.compile("faulty-disk", directory);
        this.faults = directory.resolve("faults");
    }

    /** What a process needs in its environment to meet the faults. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "FAULTY_DISK", faults.toString());
    }

    /**
     * From now on such calls fail, until {@link #heal}.
     *
     * @param part a part of the paths of the files, without a space
     */
    public void fail(Call call, Errno error, String part) throws IOException {
        lines.add(call.name().toLowerCase(Locale.ROOT) + " " + error.number + " " + part);
        Path fresh = faults.resolveSibling("faults.new");
        Files.write(fresh, lines);
        Files.move(fresh, faults, StandardCopyOption.ATOMIC_MOVE);
    }

    /** No call fails any more. */
    public void heal() throws IOException {
        lines.clear();
        Files.deleteIfExists(faults);
    }
}
