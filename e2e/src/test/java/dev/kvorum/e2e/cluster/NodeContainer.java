package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * How the image is run: its file system read-only, no capability, a user without rights, one volume for the data; what users are told to do.
 *
 * @param mounts directories of this machine, read-only, by where they are in the container
 * @param environment variables besides those that every node has
 * @param healthChecked whether the engine carries out the health check of the image
 */
record NodeContainer(
        String image,
        String id,
        String address,
        Network network,
        String volume,
        int memoryMib,
        List<String> settings,
        Map<Path, String> mounts,
        Map<String, String> environment,
        boolean healthChecked) {
    static final String USER = "10001:10001";
    static final String DATA = "/var/lib/kvorum";

    private static final long MIB = 1 << 20;
    private static final Duration TWIN_MAX = Duration.ofMinutes(1);

    /** A container that is not started yet. */
    GenericContainer<?> create(Consumer<HostConfig> more) {
        return new GenericContainer<>(DockerImageName.parse(image))
                .withNetwork(network)
                .withLabels(Engine.labels())
                .withEnv("KVORUM_NODE_ID", id)
                .withEnv(environment)
                .withCommand(settings.stream().map(option -> "--" + option).toArray(String[]::new))
                .waitingFor(new Unwaited())
                .withCreateContainerCmdModifier(command -> configure(command, more));
    }

    /** Runs a second container on the same volume, which is expected to end by itself. Blocks. */
    Execution runTwin() {
        HostConfig host = confine(HostConfig.newHostConfig().withNetworkMode(network.getId()));
        Stream<String> options = Stream.concat(Stream.of("kvorum.node-id=" + id), settings.stream());
        return new Errand(image, host, USER, TWIN_MAX)
                .run(options.map(option -> "--" + option).toArray(String[]::new));
    }

    private void configure(CreateContainerCmd command, Consumer<HostConfig> more) {
        HostConfig host = confine(Objects.requireNonNull(command.getHostConfig(), "Testcontainers has made one"));
        more.accept(host);
        command.withUser(USER).withIpv4Address(address).withHostName(id).withHostConfig(host);
        if (!healthChecked) {
            command.withHealthcheck(new HealthCheck().withTest(List.of("NONE")));
        }
    }

    private HostConfig confine(HostConfig host) {
        List<Bind> binds = new ArrayList<>(List.of(new Bind(volume, new Volume(DATA))));
        mounts.forEach((here, there) -> binds.add(new Bind(here.toString(), new Volume(there), AccessMode.ro)));
        return host.withReadonlyRootfs(true)
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withMemory(memoryMib * MIB)
                .withMemorySwap(memoryMib * MIB)
                .withBinds(binds);
    }

    /** Readiness is asked for by the cluster, of all nodes at once. */
    private static final class Unwaited extends AbstractWaitStrategy {
        @Override
        protected void waitUntilReady() {}
    }
}
