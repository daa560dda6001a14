package dev.kvorum.e2e.cluster;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/** A Toxiproxy before the peers' port of every node: what others send to a node goes through the proxy of that node, both ways. */
public final class PeerProxies implements AutoCloseable {
    private static final String IMAGE = "ghcr.io/shopify/toxiproxy:2.5.0";
    private static final int CONTROL_PORT = 8474;
    private static final int PORT_BASE = 20_000;

    private final GenericContainer<?> container;
    private final String address;
    private final Map<String, Proxy> proxies = new LinkedHashMap<>();

    /** Reached at its address in the network: no port of this machine is taken. */
    PeerProxies(Subnet subnet, int host) {
        address = subnet.address(host);
        container = new GenericContainer<>(DockerImageName.parse(IMAGE))
                .withNetwork(subnet.network())
                .withLabels(Engine.labels())
                .withCreateContainerCmdModifier(command -> command.withIpv4Address(address))
                .waitingFor(new AbstractWaitStrategy() {
                    @Override
                    protected void waitUntilReady() {}
                });
    }

    void start(List<Node> nodes) {
        container.start();
        ToxiproxyClient control = new ToxiproxyClient(address, CONTROL_PORT);
        Eventually.await("Toxiproxy answers", java.time.Duration.ofSeconds(20), () -> answers(control));
        try {
            for (Node node : nodes) {
                proxies.put(
                        node.id(),
                        control.createProxy(
                                node.id(),
                                "0.0.0.0:" + portOf(node),
                                node.peers().getAuthority()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean answers(ToxiproxyClient control) {
        try {
            return control.version() != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** Where others find the peers' port of the node. */
    String peerOf(Node node) {
        return "http://" + address + ":" + portOf(node);
    }

    private static int portOf(Node node) {
        return PORT_BASE + node.number();
    }

    /** What stands before the node. */
    public Proxy of(Node node) {
        return Objects.requireNonNull(proxies.get(node.id()), () -> "no proxy for " + node);
    }

    @Override
    public void close() {
        container.stop();
    }
}
