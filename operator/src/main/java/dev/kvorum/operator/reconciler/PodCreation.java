package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.operator.decision.Observed.SetState;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why a StatefulSet has not made a pod that it should have: a quota, a limit, a rule of admission. Its controller tells that in events alone. They are asked for only
 * while a pod is missing.
 */
final class PodCreation {
    private static final Logger LOG = LoggerFactory.getLogger(PodCreation.class);
    private static final String FAILED = "FailedCreate";
    private static final Set<String> ATTEMPTS = Set.of(FAILED, "SuccessfulCreate");

    private final KubernetesClient client;
    private final ClusterName name;

    PodCreation(KubernetesClient client, ClusterName name) {
        this.client = client;
        this.name = name;
    }

    /** Why pods are not made, by their name: of those whose last attempt has failed. */
    Map<String, String> failures(Map<String, SetState> sets, Set<String> pods) {
        Map<String, String> failures = new HashMap<>();
        sets.forEach((zone, set) -> {
            List<String> missing = IntStream.range(0, set.replicas())
                    .mapToObj(ordinal -> name.member(new Seat(zone, ordinal)))
                    .filter(pod -> !pods.contains(pod))
                    .toList();
            if (!missing.isEmpty()) {
                List<Event> events = events(name.set(zone));
                missing.forEach(pod -> failure(pod, events).ifPresent(failure -> failures.put(pod, failure)));
            }
        });
        return failures;
    }

    /** Those that are kept: Kubernetes forgets events after an hour, and tries more often than that. */
    private List<Event> events(String set) {
        try {
            return client.v1()
                    .events()
                    .inNamespace(name.namespace())
                    .withField("involvedObject.kind", "StatefulSet")
                    .withField("involvedObject.name", set)
                    .list()
                    .getItems();
        } catch (KubernetesClientException e) {
            LOG.warn("The events of StatefulSet {} can't be read: {}", set, Refusals.inWords(e));
            return List.of();
        }
    }

    /** @param events about its set, of whoever has written them: all that they say may be left out */
    static Optional<String> failure(String pod, List<Event> events) {
        return events.stream()
                .filter(event -> event.getReason() != null && ATTEMPTS.contains(event.getReason()))
                .filter(event ->
                        event.getMessage() != null && event.getMessage().contains("Pod " + pod + " "))
                .max(Comparator.comparing(PodCreation::time))
                .filter(event -> event.getReason().equals(FAILED))
                .map(Event::getMessage);
    }

    /** All are written alike, to the second, in UTC. */
    private static String time(Event event) {
        return Objects.requireNonNullElseGet(
                event.getLastTimestamp(),
                () -> Objects.requireNonNullElse(event.getMetadata().getCreationTimestamp(), ""));
    }
}
