package dev.kvorum.e2e.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How clients on this machine reach pods: by their addresses where they are routed to from here, as with the rig of {@code e2e/kubernetes}, else through the API server. Any thread.
 */
final class PodDoors implements AutoCloseable {
    private static final int API_PORT = 8080;
    private static final int CONNECT_MS_MAX = 2000;

    private final Map<String, LocalPortForward> forwards = new ConcurrentHashMap<>();
    private @Nullable Boolean isRouted;

    /** Where a pod that runs serves clients. */
    URI to(Pod pod) {
        String address = pod.getStatus().getPodIP();
        return isRouted(address)
                ? URI.create("http://" + address + ":" + API_PORT)
                : URI.create("http://127.0.0.1:" + forward(pod).getLocalPort());
    }

    private LocalPortForward forward(Pod pod) {
        return forwards.computeIfAbsent(
                pod.getMetadata().getUid(),
                uid -> Kubernetes.client()
                        .pods()
                        .inNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .portForward(API_PORT));
    }

    /** Found out once, with the first pod: it was ready. */
    private synchronized boolean isRouted(String address) {
        if (isRouted == null) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(address, API_PORT), CONNECT_MS_MAX);
                isRouted = true;
            } catch (IOException e) {
                isRouted = false; // That is the answer.
            }
        }
        return isRouted;
    }

    @Override
    public void close() {
        for (LocalPortForward forward : forwards.values()) {
            try {
                forward.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
