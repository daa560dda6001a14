package dev.kvorum.e2e.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.e2e.cluster.Eventually;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of each state that a cluster's resource comes to have, from the present one on, in their order. None is missed, however short: an operator that has
 * nothing to wait for takes two steps between two looks.
 */
public final class ClusterWatch implements AutoCloseable {
    private static final Duration ENDED_MAX = Duration.ofSeconds(30);

    private final AtomicBoolean ended = new AtomicBoolean(); // After all that was told: one thread tells, in turn.
    private final Watch watch;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** @param told the resource as JSON, on a thread of the client */
    ClusterWatch(Resource<GenericKubernetesResource> resource, Consumer<JsonNode> told) {
        watch = resource.watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, GenericKubernetesResource found) {
                try {
                    told.accept(Kubernetes.client().getKubernetesSerialization().convertValue(found, JsonNode.class));
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e); // The client would only log it.
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                failure.compareAndSet(null, cause);
                ended.set(true);
            }

            @Override
            public void onClose() {
                ended.set(true);
            }
        });
    }

    /** Returns when nothing is told any more. Fails if the watch had ended before, or what was told of a state has failed. */
    @Override
    public void close() {
        watch.close();
        Eventually.await("the watch has ended", ENDED_MAX, ended::get);
        Throwable found = failure.get();
        if (found != null) {
            throw new AssertionError("not all states were told of", found);
        }
    }
}
