package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Network.Ipam;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.testcontainers.containers.Network;

/** A network whose addresses are given by this project, so that a node keeps its own over all its containers. */
final class Subnet implements AutoCloseable {
    private static final int ATTEMPTS_MAX = 20;
    private static final int FIRST_HOST = 10;
    private static final Path ROUTES = Path.of("/proc/net/route");

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
            int second = random.nextInt(64, 240);
            int third = random.nextInt(256);
            String prefix = "10." + second + "." + third + ".";
            if (attempt < ATTEMPTS_MAX && isRouted(10, second, third)) {
                continue; // The engine knows its own networks only, not those that this machine reaches by others.
            }
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

    /** Whether this machine has a way to that /24 other than the one to everywhere. */
    private static boolean isRouted(int first, int second, int third) {
        int range = (first << 24) | (second << 16) | (third << 8);
        try (Stream<String> routes = Files.lines(ROUTES)) {
            return routes.skip(1).map(line -> line.split("\\s+")).anyMatch(words -> {
                int destination = Integer.reverseBytes((int) Long.parseLong(words[1], 16));
                int mask = Integer.reverseBytes((int) Long.parseLong(words[7], 16));
                return mask != 0 && (range & mask) == (destination & mask);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
