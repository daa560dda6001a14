package dev.kvorum.load.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One node: the jar in a process of its own. */
public final class NodeProcess {
    private static final long STOP_SECONDS_MAX = 10;
    private static final int LOG_TAIL_LINES = 15;

    private final String id;
    private final Process process;
    private final int apiPort;
    private final int peerPort;
    private final ManagementPort management;
    private final Path log;
    private boolean stopsAtOnce;

    private NodeProcess(String id, Process process, int apiPort, int peerPort, ManagementPort management, Path log) {
        this.id = id;
        this.process = process;
        this.apiPort = apiPort;
        this.peerPort = peerPort;
        this.management = management;
        this.log = log;
    }

    /**
     * Starts the process; does not wait until it serves.
     *
     * @param jvm     options of the JVM
     * @param options of the node, in full
     */
    static NodeProcess start(
            String id,
            Path jar,
            List<String> jvm,
            List<String> options,
            int apiPort,
            int peerPort,
            ManagementPort management,
            Path log)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(options);
        File output = log.toFile();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output)
                .start();
        return new NodeProcess(id, process, apiPort, peerPort, management, log);
    }

    public String id() {
        return id;
    }

    public long pid() {
        return process.pid();
    }

    public URI api() {
        return URI.create("http://127.0.0.1:" + apiPort);
    }

    public int peerPort() {
        return peerPort;
    }

    public ManagementPort management() {
        return management;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    String logTail() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }

    /** Stops it in its tracks: its connections stay open, nothing answers. */
    public void freeze() throws IOException, InterruptedException {
        stopsAtOnce = true;
        int code = new ProcessBuilder("kill", "-STOP", Long.toString(pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -STOP of " + id + " ended with " + code);
        }
    }

    /** Kills it without a warning. */
    public void kill() {
        stopsAtOnce = true;
        process.destroyForcibly();
    }

    void askToStop() {
        if (stopsAtOnce) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
    }

    void awaitStop() throws InterruptedException {
        if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            process.waitFor();
        }
    }
}
