package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import java.time.Duration;

/** One command in a container of its own beside a node, whose image has no shell. */
public final class Sidecar {
    private static final String ROOT = "0:0";
    private static final Duration TAKES_MAX = Duration.ofMinutes(3);

    private Sidecar() {}

    /** Runs it in the network of the node, with the right to filter packets, and answers with what it printed. Blocks. */
    public static String inNetworkOf(Node node, String... command) {
        HostConfig host = HostConfig.newHostConfig()
                .withNetworkMode("container:" + node.containerId())
                .withCapAdd(Capability.NET_ADMIN);
        return run(host, ROOT, command);
    }

    /** Runs it among the processes of the node, as the same user: the node is number 1. Blocks. */
    public static String amongProcessesOf(Node node, String... command) {
        HostConfig host = HostConfig.newHostConfig().withPidMode("container:" + node.containerId());
        return run(host, NodeContainer.USER, command);
    }

    /** Runs it with the data of the node under /data. Blocks. */
    public static String onDiskOf(Node node, String... command) {
        return run(HostConfig.newHostConfig().withBinds(new Bind(node.volume(), new Volume("/data"))), ROOT, command);
    }

    private static String run(HostConfig host, String user, String... command) {
        return new Errand(Engine.FAULTS_IMAGE, host, user, TAKES_MAX)
                .run(command)
                .printedIfDone(command);
    }
}
