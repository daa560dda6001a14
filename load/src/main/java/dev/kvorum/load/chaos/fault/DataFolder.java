package dev.kvorum.load.chaos.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The data directory of a node, which may be a file system of its own: so it is never moved, only what is in it. For nodes that do not run, unless said. */
record DataFolder(Path path) {
    private static final String CELLS = "cells";
    private static final String UNTIL = "cells-until-";

    Path cells() {
        return path.resolve(CELLS);
    }

    /** Databases that the node has set aside because they had lost something. It may run. */
    List<Path> setAside() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(UNTIL))
                    .toList();
        }
    }

    /** When the node has set a database aside last, by this machine's clock, whatever the node's says; empty if it has not. It may run. */
    Optional<Instant> lastSetAside() throws IOException {
        List<Instant> times = new ArrayList<>();
        for (Path aside : setAside()) {
            // The move changed it, and nothing else has since.
            times.add(((FileTime) Files.getAttribute(aside, "unix:ctime")).toInstant());
        }
        return times.stream().max(Comparator.naturalOrder());
    }

    /** Deletes them, once the node holds all again. It may run. */
    void deleteSetAside() throws IOException, InterruptedException {
        for (Path aside : setAside()) {
            delete(aside);
        }
    }

    /** Deletes the database, as a person does where a file of it is damaged (docs/operations.md). The node knows by the rest of the directory that it had one. */
    void deleteCells() throws IOException, InterruptedException {
        delete(cells());
    }

    /** Copies all of it; the copy before is replaced. */
    void copyTo(Path copy) throws IOException, InterruptedException {
        delete(copy);
        Files.createDirectories(copy);
        NodeDisk.run(List.of("cp", "-a", path + "/.", copy.toString()));
    }

    /** Replaces all of it by the copy, which is gone then. */
    void putBack(Path copy) throws IOException, InterruptedException {
        NodeDisk.run(List.of("find", path.toString(), "-mindepth", "1", "-delete"));
        NodeDisk.run(List.of("cp", "-a", copy + "/.", path.toString()));
        delete(copy);
    }

    static void delete(Path file) throws IOException, InterruptedException {
        NodeDisk.run(List.of("rm", "-rf", file.toString()));
    }
}
