package dev.kvorum.load.cluster;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How the process of one node is started, each time in the same way.
 *
 * @param id          of the node
 * @param command     in full
 * @param environment what it has beside that of this process
 * @param log         what the process says is appended to it
 */
record NodeLaunch(String id, List<String> command, Map<String, String> environment, Path log) {
    NodeLaunch {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** Starts the process; does not wait until it serves. */
    Process start() throws IOException {
        ProcessBuilder process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(Redirect.appendTo(log.toFile()));
        process.environment().putAll(environment);
        return process.start();
    }
}
