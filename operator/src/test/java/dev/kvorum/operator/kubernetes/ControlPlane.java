package dev.kvorum.operator.kubernetes;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.kvorum.operator.api.Specs;
import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A real API server, etcd and the controllers of Kubernetes that the operator relies on; no machines. {@link Kubelets} stand in for those. One for all tests of a JVM; each test
 * gets a namespace of its own.
 */
final class ControlPlane {
    static final String BINARIES = "KVORUM_KUBE_BINARIES";

    private static final String VERSION = "1.35.4";
    private static final int START_MILLIS_MAX = 120_000;
    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static @Nullable ControlPlane running;

    private final String kubeconfig;
    private final KubernetesClient client;

    private ControlPlane(Path binaries) throws IOException {
        Path directory = Path.of("target", "kube-api-test").toAbsolutePath();
        Path links = directory.resolve("k8s").resolve(VERSION + "-linux-amd64");
        Files.createDirectories(links);
        for (String binary : List.of("kube-apiserver", "etcd", "kubectl")) {
            Path link = links.resolve(binary);
            Files.deleteIfExists(link);
            Files.createSymbolicLink(
                    link, binaries.resolve("bin").resolve(binary).toRealPath());
        }
        KubeAPIServer server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(directory.toString())
                .withApiServerVersion(VERSION)
                .withOfflineMode(true)
                .withStartupTimeout(START_MILLIS_MAX)
                .build());
        server.start();
        kubeconfig = server.getKubeConfigYaml();
        client = newClient();
        Process controllers = controllers(binaries, directory);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            controllers.destroy();
            server.stop();
        }));
        prepare();
    }

    /** The one of this JVM. The test is skipped, and says how it would not be, where there are no binaries. */
    static synchronized ControlPlane running() {
        String binaries = System.getenv(BINARIES);
        Assumptions.assumeTrue(
                binaries != null,
                "Tests against a real API server need its binaries: `e2e/kubernetes/binaries` makes them and prints their directory, "
                        + BINARIES + " names it");
        if (running == null) {
            try {
                running = new ControlPlane(Path.of(binaries));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return running;
    }

    KubernetesClient client() {
        return client;
    }

    KubernetesClient newClient() {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig))
                .build();
    }

    String newNamespace() {
        String name = "test-" + NAMESPACES.incrementAndGet();
        var _ = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    private Process controllers(Path binaries, Path directory) throws IOException {
        Path config = directory.resolve("kubeconfig");
        Files.writeString(config, kubeconfig);
        return new ProcessBuilder(
                        binaries.resolve("bin/kube-controller-manager").toString(),
                        "--kubeconfig=" + config,
                        "--controllers=statefulset-controller,garbage-collector-controller,persistentvolumeclaim-protection-controller,disruption-controller",
                        "--leader-elect=false",
                        "--secure-port=0",
                        "--use-service-account-credentials=false")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("controllers.log").toFile())
                .start();
    }

    /** As where the Prometheus operator is installed; what monitors say is not looked at. */
    void definePodMonitors() {
        define(client.getKubernetesSerialization().unmarshal("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: podmonitors.monitoring.coreos.com}
                spec:
                  group: monitoring.coreos.com
                  scope: Namespaced
                  names: {kind: PodMonitor, plural: podmonitors, singular: podmonitor}
                  versions:
                    - name: v1
                      served: true
                      storage: true
                      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """, CustomResourceDefinition.class));
    }

    private void define(CustomResourceDefinition definition) {
        var _ = client.resource(definition).createOr(NonDeletingOperation::update);
        Eventually.holds(
                "the definition is established",
                () -> Optional.ofNullable(client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName(definition.getMetadata().getName())
                                .get())
                        .map(CustomResourceDefinition::getStatus)
                        .map(CustomResourceDefinitionStatus::getConditions)
                        .filter(conditions -> conditions.stream()
                                .anyMatch(condition -> condition.getType().equals("Established")
                                        && condition.getStatus().equals("True")))
                        .isPresent());
    }

    /** The definition of this operator. */
    void defineClusters() {
        define(definition());
        Eventually.holds(
                "the API server refuses a spec by the definition",
                () -> refusal("nothing").filter(why -> why.contains("spec")).isPresent(),
                () -> refusal("nothing").toString());
    }

    /** One that fills in nothing and refuses nothing. It is that of all namespaces, until {@link #defineClusters}. */
    void defineWithoutSchema() {
        define(anything().build());
    }

    /** The same, but a status with another phase is refused. */
    void defineWithPhase(String phase) {
        define(anything()
                .addToProperties(
                        "status",
                        anything()
                                .addToProperties(
                                        "phase",
                                        new JSONSchemaPropsBuilder()
                                                .withType("string")
                                                .withEnum(new TextNode(phase))
                                                .build())
                                .build())
                .build());
    }

    private static JSONSchemaPropsBuilder anything() {
        return new JSONSchemaPropsBuilder().withType("object").withXKubernetesPreserveUnknownFields(true);
    }

    private void define(JSONSchemaProps schema) {
        CustomResourceDefinition definition = definition();
        CustomResourceDefinitionVersion version =
                definition.getSpec().getVersions().getFirst();
        version.getSubresources().setScale(null); // It would refuse a spec without a number of replicas.
        version.getSchema().setOpenAPIV3Schema(schema);
        define(definition);
        Eventually.holds(
                "the API server takes any spec",
                () -> refusal("nothing").isEmpty(),
                () -> refusal("nothing").toString());
    }

    /** Why the API server refuses a cluster with this spec; empty if it takes it. It applies a definition later than it stores it. */
    private Optional<String> refusal(String spec) {
        try {
            var _ = client.resource(Clusters.unread("tried", "default", spec))
                    .dryRun()
                    .create();
            return Optional.empty();
        } catch (KubernetesClientException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static CustomResourceDefinition definition() {
        return new KubernetesSerialization().convertValue(Specs.definition(), CustomResourceDefinition.class);
    }

    private void prepare() {
        defineClusters();
        var _ = client.resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName("standard")
                        .addToAnnotations("storageclass.kubernetes.io/is-default-class", "true")
                        .endMetadata()
                        .withProvisioner("kvorum.dev/test")
                        .withAllowVolumeExpansion(true)
                        .build())
                .create();
    }
}
