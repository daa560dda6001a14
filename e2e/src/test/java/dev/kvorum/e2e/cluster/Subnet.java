package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Network.Ipam;
import java.util.concurrent.ThreadLocalRandom;
import org.testcontainers.containers.Network;

/** A network whose addresses are given by this project, so that a node keeps its own over all its containers. */
final class Subnet implements AutoCloseable {
    private static final int ATTEMPTS_MAX = 20;
    private static final int FIRST_HOST = 10;

    private final String prefix;
    private final Network network;

    private Subnet(String prefix, Network network) {
        this.prefix = prefix;
        this.network = network;
    }

    /** Tries ranges of private addresses until one is free. */
    static Subnet create() {
        for (int attempt = 1; ; attempt++) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            String prefix = "10." + random.nextInt(64, 240) + "." + random.nextInt(256) + ".";
            Ipam.Config range = new Ipam.Config().withSubnet(prefix + "0/24");
            Network network = Network.builder()
                    .createNetworkCmdModifier(
                            command -> command.withLabels(Engine.labels()).withIpam(new Ipam().withConfig(range)))
                    .build();
            try {
                if (!network.getId().isEmpty()) {
                    return new Subnet(prefix, network);
                }
            } catch (DockerException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw e;
                }
            }
        }
    }

    Network network() {
        return network;
    }

    /** @param host 0 to 200 */
    String address(int host) {
        return prefix + (FIRST_HOST + host);
    }

    @Override
    public void close() {
        network.close();
    }
}
