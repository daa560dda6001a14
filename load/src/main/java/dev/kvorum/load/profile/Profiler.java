package dev.kvorum.load.profile;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * async-profiler, loaded into each node while it is measured. One recording of each holds processor time, allocations and locks. Where the
 * kernel forbids its performance counters, the profiler itself falls back to timers.
 */
public final class Profiler {
    private static final String EVENTS = "event=cpu,interval=1ms,alloc=256k,lock=100us,cstack=vm";

    private final Path folder;
    private final Path agent;

    private Profiler(Path folder, Path agent) {
        this.folder = folder;
        this.agent = agent;
    }

    /** @param folder where recordings and flame graphs go */
    public static Profiler in(Path folder) throws IOException {
        String platform = System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
        String resource = "/" + platform + "/libasyncProfiler.so";
        Path agent =
                Files.createDirectories(folder).resolve("libasyncProfiler.so").toAbsolutePath();
        try (InputStream library = Profiler.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new IOException("The profiler's library " + resource + " is missing from the jar.");
            }
            Files.copy(library, agent);
        }
        return new Profiler(folder.toAbsolutePath(), agent);
    }

    /** @param run names the recordings, as {@code get-2of3-1} */
    public Recording start(String run, List<NodeProcess> nodes) throws IOException, InterruptedException {
        List<NodeProcess> recorded = nodes.stream().filter(NodeProcess::isAlive).toList();
        for (NodeProcess node : recorded) {
            tell(node, "start," + EVENTS + ",jfr,file=" + file(run, node));
        }
        return new Recording(run, recorded);
    }

    private Path file(String run, NodeProcess node) {
        return folder.resolve(run + "-" + node.id() + ".jfr");
    }

    private void tell(NodeProcess node, String command) throws IOException, InterruptedException {
        // In quotes, because jcmd would take an argument with an equals sign apart.
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(
                        jcmd.toString(),
                        Long.toString(node.pid()),
                        "JVMTI.agent_load",
                        agent.toString(),
                        '"' + command + '"')
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 || !said.contains("return code: 0")) {
            throw new IOException("The profiler refused \"" + command + "\" in " + node.id() + ": " + said.strip());
        }
    }

    /** Recordings of one run, which are going on. */
    public final class Recording {
        private final String run;
        private final List<NodeProcess> nodes;

        private Recording(String run, List<NodeProcess> nodes) {
            this.run = run;
            this.nodes = nodes;
        }

        /** Ends the recordings of the nodes that still live, and makes the flame graphs. Returns the pages. */
        public List<Path> stop() throws IOException, InterruptedException {
            List<Path> pages = new ArrayList<>();
            for (NodeProcess node : nodes) {
                if (node.isAlive()) {
                    Path recording = file(run, node);
                    tell(node, "stop,jfr,file=" + recording);
                    pages.addAll(FlameGraphs.of(recording, run + ", " + node.id()));
                }
            }
            return pages;
        }
    }
}
