package dev.kvorum.load.cluster;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The commands of the node's jar that change the members of a cluster, each a process of its own. Any thread. */
public final class ChangeCommand {
    private final Path jar;
    private final Path log;
    private final List<String> prefix;

    /** @param log what the commands say is appended to it */
    public ChangeCommand(Path jar, Path log) {
        this(jar, log, List.of());
    }

    private ChangeCommand(Path jar, Path log, List<String> prefix) {
        this.jar = jar;
        this.log = log;
        this.prefix = prefix;
    }

    /** The same with what the nodes leave of the processors: people run them on another machine. */
    public ChangeCommand asFromElsewhere() {
        return new ChangeCommand(jar, log, List.of("nice", "-n", "19"));
    }

    /** The option that makes a node a member, once it runs. */
    public static String adding(NodeProcess node) {
        return "--add=id=" + node.id() + ",api=" + node.api() + ",peer=" + node.peer() + ",zone="
                + LocalCluster.zoneOf(node);
    }

    /** The option that takes a member out. */
    public static String removing(NodeProcess node) {
        return "--remove=" + node.id();
    }

    /** A command that runs. */
    public record Running(Process process) {
        /** Waits for its end, however long that takes, and says whether it has done what it was to do; kills it if the wait is interrupted. */
        public boolean awaitEndOrKill() throws InterruptedException {
            try {
                return process.waitFor() == 0;
            } finally {
                end();
            }
        }

        /** Ends it if it runs. What it was to do goes on, or not, without it. */
        public void end() {
            process.destroyForcibly();
        }

        /** Whether it has ended and done what it was to do; after the time it is ended, as anybody may do at any instant. */
        public boolean isDoneWithin(long millis) throws InterruptedException {
            if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly().waitFor();
            return false;
        }
    }

    /** Begins a command, addressed to that node. */
    public Running begin(String name, NodeProcess addressee, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                jar.toString(),
                name,
                "--node=" + addressee.management().uri()));
        command.addAll(options);
        return new Running(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start());
    }
}
