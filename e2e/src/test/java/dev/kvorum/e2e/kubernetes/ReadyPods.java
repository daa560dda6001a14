package dev.kvorum.e2e.kubernetes;

import dev.kvorum.e2e.record.Endpoint;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pods of a cluster that clients may be sent to, as the endpoints of a service: those that are ready and not about to end. From a watch, so asking costs nothing. Any thread. */
final class ReadyPods implements AutoCloseable {
    private final PodDoors doors = new PodDoors();
    private final SharedIndexInformer<Pod> pods;
    private volatile List<Endpoint> last = List.of();

    private record PodEndpoint(String id, URI api) implements Endpoint {}

    ReadyPods(String namespace, String cluster) {
        pods = Kubernetes.client()
                .pods()
                .inNamespace(namespace)
                .withLabel("app.kubernetes.io/instance", cluster)
                .withLabel("app.kubernetes.io/name", "kvorum-node")
                .inform();
    }

    /** By name. Where none is ready, those that were: a client that knows no other keeps trying. */
    List<Endpoint> endpoints() {
        List<Endpoint> ready = ready().sorted(
                        Comparator.comparing(pod -> pod.getMetadata().getName()))
                .<Endpoint>map(pod -> new PodEndpoint(pod.getMetadata().getName(), doors.to(pod)))
                .toList();
        if (!ready.isEmpty()) {
            last = ready;
        }
        return last;
    }

    /** Names of those that are ready now. */
    Set<String> names() {
        return ready().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
    }

    private Stream<Pod> ready() {
        return pods.getStore().list().stream().filter(ReadyPods::isReady);
    }

    static boolean isReady(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> Objects.equals(condition.getType(), "Ready")
                                && Objects.equals(condition.getStatus(), "True"));
    }

    @Override
    public void close() {
        pods.close();
        doors.close();
    }
}
