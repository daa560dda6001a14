package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.decision.Action;
import dev.kvorum.operator.node.HttpNodes;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to the API server carry the version of their object, so that one that comes late changes nothing. */
class ActionExecutorTest {
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private volatile int status = 200;
    private HttpServer api;
    private KubernetesClient client;

    @BeforeEach
    void startApi() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", this::answer);
        api.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://localhost:" + api.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    @AfterEach
    void stopApi() {
        client.close();
        api.stop(0);
    }

    @Test
    void aVolumeIsMarkedOnlyInTheVersionThatWasLookedAt() {
        assertThat(executor().carryOut(new Action.MarkJoined("demo-3", 7, "42")))
                .isEqualTo(ActionExecutor.Result.DONE);

        assertThat(requests.getLast())
                .startsWith("PATCH /api/v1/namespaces/shop/persistentvolumeclaims/data-demo-3")
                .contains("\"resourceVersion\":\"42\"")
                .contains("\"kvorum.dev/joined-at-epoch\":\"7\"");
    }

    @Test
    void aMarkIsTakenBackOnlyFromTheVersionThatWasLookedAt() {
        assertThat(executor().carryOut(new Action.TakeMarkBack("demo-3", "42"))).isEqualTo(ActionExecutor.Result.DONE);

        assertThat(requests.getLast())
                .contains("\"resourceVersion\":\"42\"")
                .contains("\"kvorum.dev/joined-at-epoch\":null");
    }

    @Test
    void aVolumeThatIsAnotherByNowIsLeftAsItIsWithoutAFailure() {
        status = 409;

        assertThat(executor().carryOut(new Action.TakeMarkBack("demo-3", "42")))
                .isEqualTo(ActionExecutor.Result.OUTRUN);
    }

    @Test
    void aStatefulSetIsDeletedOnlyInTheVersionThatWasLookedAt() {
        assertThat(executor().carryOut(new Action.DeleteSet("default", "42"))).isEqualTo(ActionExecutor.Result.DONE);

        assertThat(requests.getLast())
                .startsWith("DELETE /apis/apps/v1/namespaces/shop/statefulsets/demo")
                .contains("\"resourceVersion\":\"42\"")
                .contains("\"propagationPolicy\":\"Orphan\"");
    }

    @Test
    void aStatefulSetThatIsAnotherByNowIsLeftAsItIsWithoutAFailure() {
        status = 409;

        assertThat(executor().carryOut(new Action.DeleteSet("default", "42"))).isEqualTo(ActionExecutor.Result.OUTRUN);
        status = 404;

        assertThat(executor().carryOut(new Action.DeleteSet("default", "42"))).isEqualTo(ActionExecutor.Result.OUTRUN);
    }

    @Test
    void thatAStatefulSetMayNotBeDeletedIsAFailure() {
        status = 403;

        assertThat(executor().carryOut(new Action.DeleteSet("default", "42")).failure())
                .isPresent();
    }

    @Test
    void aStatusIsTakenBackOnlyFromTheVersionThatWasLookedAt() {
        assertThat(executor().carryOut(new Action.TakeStatusBack("default", "42")))
                .isEqualTo(ActionExecutor.Result.DONE);

        assertThat(requests.getLast())
                .startsWith("PATCH /apis/apps/v1/namespaces/shop/statefulsets/demo/status")
                .contains("\"resourceVersion\":\"42\"")
                .contains("\"observedGeneration\":null");
    }

    /** What {@link Manifests} relies on. */
    @Test
    void anObjectWithAVersionIsAppliedWithIt() {
        StatefulSet set = new StatefulSetBuilder()
                .withNewMetadata()
                .withName("demo")
                .withNamespace("shop")
                .withResourceVersion("42")
                .endMetadata()
                .build();

        var _ = client.resource(set).fieldManager("kvorum").forceConflicts().serverSideApply();

        assertThat(requests.getFirst().replace("\"", ""))
                .startsWith("PATCH /apis/apps/v1/namespaces/shop/statefulsets/demo")
                .containsPattern("resourceVersion: ?42");
    }

    private ActionExecutor executor() {
        return new ActionExecutor(new KvorumCluster(), new ClusterName("shop", "demo", false), client, new HttpNodes());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body.replace(": ", ":"));
        String path = exchange.getRequestURI().getPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        byte[] answer = "{\"metadata\": {\"name\": \"%s\"}}".formatted(name).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
