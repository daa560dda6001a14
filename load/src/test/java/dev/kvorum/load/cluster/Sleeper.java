package dev.kvorum.load.cluster;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process in the place of a node's, which serves nothing: to be ended. */
public final class Sleeper {
    private static final String UP = "up";
    private static final String READY = "echo " + UP + "; while :; do sleep 0.05; done";
    private static final int NO_PORT = 1; // Nobody listens there.

    private Sleeper() {}

    /** Starts one that ends when it is asked to. */
    public static NodeProcess start(Path folder, String id) throws IOException, InterruptedException {
        return start(folder, id, READY);
    }

    /** Starts one that does not. */
    static NodeProcess startDeaf(Path folder, String id) throws IOException, InterruptedException {
        return start(folder, id, "trap '' TERM; " + READY);
    }

    /** Returns when it has come as far as to say so. */
    private static NodeProcess start(Path folder, String id, String script) throws IOException, InterruptedException {
        Path log = folder.resolve(id + ".log");
        NodeLaunch launch = new NodeLaunch(id, List.of("sh", "-c", script), Map.of(), log);
        NodeProcess node =
                new NodeProcess(launch, NO_PORT, NO_PORT, new ManagementPort(id, HttpClient.newHttpClient(), NO_PORT));
        while (node.isAlive() && !Files.readString(log).contains(UP)) {
            Thread.onSpinWait();
        }
        return node;
    }
}
