package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** One command in a container of its own beside a node, whose image has no shell. */
public final class Sidecar {
    private static final String ROOT = "0:0";
    private static final int SECONDS_MAX = 60;

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
        DockerClient docker = Engine.docker();
        String id = docker.createContainerCmd(Engine.FAULTS_IMAGE)
                .withLabels(Engine.labels())
                .withHostConfig(host)
                .withUser(user)
                .withCmd(command)
                .exec()
                .getId();
        try {
            docker.startContainerCmd(id).exec();
            int status = docker.waitContainerCmd(id).start().awaitStatusCode(SECONDS_MAX, TimeUnit.SECONDS);
            String printed = printed(id);
            if (status != 0) {
                throw new IllegalStateException(String.join(" ", command) + " ended with " + status + ": " + printed);
            }
            return printed;
        } finally {
            docker.removeContainerCmd(id).withForce(true).exec();
        }
    }

    private static String printed(String id) {
        Execution.Output output = new Execution.Output();
        try (output) {
            Engine.docker()
                    .logContainerCmd(id)
                    .withStdOut(true)
                    .withStdErr(true)
                    .exec(output)
                    .awaitCompletion(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return output.text();
    }
}
