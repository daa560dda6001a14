package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The disk of one node, as far as it can be made full. */
public sealed interface NodeDisk permits SmallFileSystem, FileSizeLimit {
    /** From now on nothing more fits on it. */
    void fill(NodeProcess node) throws IOException, InterruptedException;

    /** There is room again. */
    void free(NodeProcess node) throws IOException, InterruptedException;

    /** Runs a command of the system to its end; its output is what the exception says if it fails. */
    static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        }
    }
}
