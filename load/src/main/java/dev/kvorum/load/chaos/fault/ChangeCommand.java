package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The commands of the node's jar that change the members of a cluster, each a process of its own. Any thread. */
final class ChangeCommand {
    private final Path jar;
    private final Path log;

    /** @param log what the commands say is appended to it */
    ChangeCommand(Path jar, Path log) {
        this.jar = jar;
        this.log = log;
    }

    /** A command that runs. */
    record Running(Process process) {
        /** Whether it has ended and done what it was to do; after the time it is ended, as anybody may do at any instant. */
        boolean isDoneWithin(long millis) throws InterruptedException {
            if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly().waitFor();
            return false;
        }
    }

    /** Begins a command, addressed to that node. */
    Running begin(String name, NodeProcess addressee, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-jar",
                jar.toString(),
                name,
                "--peer=" + addressee.peer()));
        command.addAll(options);
        return new Running(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start());
    }
}
