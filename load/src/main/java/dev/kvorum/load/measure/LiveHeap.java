package dev.kvorum.load.measure;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What is alive on the nodes' heaps. The used heap also has garbage, and goes up and down with each collection; the JVM knows what is alive after a collection of
 * the old generation only, of which a good soak has none. So the bench asks for one, by {@code jcmd}, and not while it measures: it stops the node.
 */
public final class LiveHeap {
    private static final long SECONDS_MAX = 60;
    private static final String TOTAL = "Total";

    private LiveHeap() {}

    /**
     * By node, in bytes; empty if one of them does not say it in time, so that those which do are not taken for all.
     *
     * @param folder where the histograms of classes remain, one for each node
     * @param when   names them
     */
    public static Map<String, Long> bytes(List<NodeProcess> nodes, Path folder, String when)
            throws IOException, InterruptedException {
        Map<String, Long> bytes = new TreeMap<>();
        for (NodeProcess node : nodes) {
            Path classes = folder.resolve(node.id() + "-live-" + when + ".txt");
            OptionalLong total =
                    isWritten(node.pid(), classes) ? total(Files.readAllLines(classes)) : OptionalLong.empty();
            if (total.isEmpty()) {
                return Map.of();
            }
            bytes.put(node.id(), total.getAsLong());
        }
        return bytes;
    }

    private static boolean isWritten(long pid, Path file) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process = new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(file.toFile()))
                .start();
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    /** @param histogram of classes, whose last line is {@code Total}, instances, bytes */
    static OptionalLong total(List<String> histogram) {
        return histogram.stream()
                .filter(line -> line.startsWith(TOTAL))
                .map(line -> line.trim().split("\\s+", -1))
                .filter(fields -> fields.length == 3)
                .mapToLong(fields -> Long.parseLong(fields[2]))
                .findFirst();
    }
}
