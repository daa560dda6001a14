package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.decision.ChangePhase;
import dev.kvorum.operator.decision.Note;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells of decisions as events of the resource, and in the log. The same event again raises the count of the first, as with Kubernetes' own controllers: a status that is refused again and
 * again does not fill the namespace with events. An event that can't be written stops nothing.
 */
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final int MESSAGE_MAX = 1024; // What Kubernetes takes.
    private static final List<String> TOLD = List.of("Valid", "Available", "Degraded", "Scaling", "Ready");
    /** Steps of a change that wait for somebody. */
    private static final List<String> FOR_A_PERSON = List.of(ChangePhase.AwaitingApproval.name());

    private final KubernetesClient client;
    private final KvorumCluster cluster;

    Events(KubernetesClient client, KvorumCluster cluster) {
        this.client = client;
        this.cluster = cluster;
    }

    void tell(Note note) {
        String type = note.warning() ? "Warning" : "Normal";
        LOG.atLevel(note.warning() ? Level.WARN : Level.INFO)
                .log(
                        "{}/{} {}: {}",
                        cluster.getMetadata().getNamespace(),
                        cluster.getMetadata().getName(),
                        note.reason(),
                        note.message());
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Event event = event(type, note, now);
        try {
            write(event);
        } catch (KubernetesClientException e) {
            LOG.warn("The event {} could not be written: {}", note.reason(), e.getMessage());
        }
    }

    private void write(Event event) {
        try {
            var _ = client.resource(event).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            countAgain(event);
        }
    }

    private void countAgain(Event again) {
        Event first = client.resource(again).get();
        if (first != null) { // Kubernetes forgets events after a while.
            int count = Objects.requireNonNullElse(first.getCount(), 1) + 1;
            String patch = client.getKubernetesSerialization()
                    .asJson(Map.of("count", count, "lastTimestamp", again.getLastTimestamp()));
            var _ = client.resource(first).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        }
    }

    private Event event(String type, Note note, String now) {
        String message = note.message().substring(0, Math.min(note.message().length(), MESSAGE_MAX));
        return new EventBuilder()
                .withNewMetadata()
                .withName(name(type, note.reason(), message))
                .withNamespace(cluster.getMetadata().getNamespace())
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(cluster.getApiVersion())
                .withKind(cluster.getKind())
                .withName(cluster.getMetadata().getName())
                .withNamespace(cluster.getMetadata().getNamespace())
                .withUid(cluster.getMetadata().getUid())
                .endInvolvedObject()
                .withType(type)
                .withReason(note.reason())
                .withMessage(message)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .withNewSource()
                .withComponent(Labels.OPERATOR)
                .endSource()
                .withReportingComponent(Labels.OPERATOR)
                .withReportingInstance(Labels.OPERATOR)
                .build();
    }

    /** The same for the same event of the same cluster. */
    private String name(String type, String reason, String message) {
        String content = String.join("\n", cluster.getMetadata().getUid(), type, reason, message);
        UUID digest = UUID.nameUUIDFromBytes(content.getBytes(StandardCharsets.UTF_8));
        return cluster.getMetadata().getName() + "." + digest;
    }

    /** Tells what has changed between two states: each of these is told once. */
    void tellChanges(@Nullable KvorumClusterStatus before, KvorumClusterStatus after) {
        for (Condition condition : after.conditions()) {
            Condition former = before == null ? null : find(before, condition.getType());
            if (TOLD.contains(condition.getType()) && isNews(former, condition)) {
                tell(note(condition));
            }
        }
    }

    /**
     * Whether somebody should hear of it. The steps of a change that goes on have events of their own, and what keeps a cluster from being ready is told by other conditions: of these only the
     * beginning and the end are told.
     */
    static boolean isNews(@Nullable Condition former, Condition condition) {
        if (former == null || !former.getStatus().equals(condition.getStatus())) {
            return true;
        }
        boolean isOfAReason = !former.getReason().equals(condition.getReason());
        return switch (condition.getType()) {
            case "Ready" -> false;
            case "Scaling" ->
                isOfAReason && (condition.getStatus().equals("False") || FOR_A_PERSON.contains(condition.getReason()));
            default -> isOfAReason;
        };
    }

    private static Note note(Condition condition) {
        boolean warning = switch (condition.getType()) {
            case "Degraded" -> condition.getStatus().equals("True");
            case "Valid", "Available" -> condition.getStatus().equals("False");
            default -> false;
        };
        String reason = switch (condition.getStatus()) {
            case "True" -> condition.getType();
            case "False" -> "Not" + condition.getType();
            default -> condition.getType() + "Unknown";
        };
        return new Note(warning, reason, condition.getReason() + ": " + condition.getMessage());
    }

    private static @Nullable Condition find(KvorumClusterStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElse(null);
    }
}
