package dev.kvorum.e2e.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what tells why a scenario failed: {@code e2e/target/evidence/CLASS.METHOD/}. What can't be had is named there, too. */
final class KubernetesEvidence {
    private static final Path ALL = Path.of("target", "evidence");

    private KubernetesEvidence() {}

    static void keep(ManagedCluster cluster, OperatorRelease operator, ExtensionContext scenario, Throwable failure) {
        Path folder = ALL.resolve(scenario.getRequiredTestClass().getSimpleName() + "."
                + scenario.getRequiredTestMethod().getName());
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("failure.txt"),
                    failure + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND); // After a scenario that has failed its history may break promises, too.
            Files.copy(
                    cluster.recorder().written(), folder.resolve("history.jsonl"), StandardCopyOption.REPLACE_EXISTING);
            objects(cluster, folder);
            for (Pod pod : cluster.pods().values()) {
                logs(pod, folder);
            }
            for (Pod pod : operator.pods()) {
                logs(pod, folder);
            }
            System.err.println("Kept in " + folder.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void objects(ManagedCluster cluster, Path folder) throws IOException {
        KubernetesClient client = Kubernetes.client();
        String namespace = cluster.namespace();
        yaml(
                client.genericKubernetesResources(ManagedCluster.KIND)
                        .inNamespace(namespace)
                        .list()
                        .getItems(),
                folder.resolve("clusters.yaml"));
        yaml(cluster.pods().values(), folder.resolve("pods.yaml"));
        yaml(cluster.claims().values(), folder.resolve("claims.yaml"));
        yaml(client.apps().statefulSets().inNamespace(namespace).list().getItems(), folder.resolve("sets.yaml"));
        yaml(client.configMaps().inNamespace(namespace).list().getItems(), folder.resolve("maps.yaml"));
        Files.write(
                folder.resolve("events.txt"),
                client.v1().events().inNamespace(namespace).list().getItems().stream()
                        .map(event -> event.getLastTimestamp() + " "
                                + event.getInvolvedObject().getKind() + "/"
                                + event.getInvolvedObject().getName() + " " + event.getReason() + ": "
                                + event.getMessage())
                        .sorted()
                        .toList());
    }

    private static void yaml(Collection<? extends HasMetadata> objects, Path file) throws IOException {
        Files.writeString(
                file,
                objects.stream()
                        .map(object ->
                                Kubernetes.client().getKubernetesSerialization().asYaml(object))
                        .collect(Collectors.joining("---\n")));
    }

    /** Of its present life, and of the one before. */
    private static void logs(Pod pod, Path folder) throws IOException {
        String name = pod.getMetadata().getName();
        var resource = Kubernetes.client()
                .pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(name);
        Files.writeString(folder.resolve(name + ".log"), log(() -> resource.getLog()));
        Files.writeString(
                folder.resolve(name + "-before.log"),
                log(() -> resource.terminated().getLog()));
    }

    private static String log(java.util.function.Supplier<String> log) {
        try {
            return log.get();
        } catch (KubernetesClientException e) {
            return "none: " + e.getMessage();
        }
    }
}
