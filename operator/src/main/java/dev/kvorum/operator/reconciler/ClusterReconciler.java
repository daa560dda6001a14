package dev.kvorum.operator.reconciler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.UnreadCluster;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.decision.Action;
import dev.kvorum.operator.decision.Decision;
import dev.kvorum.operator.decision.Observed;
import dev.kvorum.operator.decision.StatusReport;
import dev.kvorum.operator.node.ClusterNodes;
import dev.kvorum.operator.reading.ClusterReader;
import dev.kvorum.operator.reading.ClusterReading;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Observes, decides in pure code, does it, and tells. Keeps nothing from one time to the next: all that it goes by is in Kubernetes and in the nodes.
 *
 * <p>It needs no finalizer: Kubernetes removes what belongs to a cluster by owner references, and volumes as well where they are to go with it.
 */
@ControllerConfiguration(
        name = "kvorumcluster",
        fieldManager = Labels.OPERATOR,
        generationAwareEventProcessing = false, // Annotations count as well.
        informer = @Informer(onUpdateFilter = AskedOtherwise.class))
public final class ClusterReconciler implements Reconciler<UnreadCluster> {
    /** How soon a cluster is looked at again in which something is to come. */
    private static final Duration SOON = Duration.ofSeconds(2);

    /** How soon one is looked at again that is as it should be, or waits for a person: nodes tell nobody that they have lost a disk. */
    private static final Duration LATER = Duration.ofSeconds(20);

    private final ClusterReader reader = new ClusterReader();
    private final ClusterNodes nodes;
    private final Optional<String> home;

    /** @param home the operator's own namespace; empty where it runs outside of Kubernetes */
    public ClusterReconciler(ClusterNodes nodes, Optional<String> home) {
        this.nodes = nodes;
        this.home = home;
    }

    @Override
    public List<EventSource<?, UnreadCluster>> prepareEventSources(EventSourceContext<UnreadCluster> context) {
        return List.of(
                watch(ConfigMap.class, context),
                watch(StatefulSet.class, context),
                watch(Pod.class, context),
                watch(PersistentVolumeClaim.class, context),
                watch(Service.class, context),
                watch(ServiceAccount.class, context),
                watch(PodDisruptionBudget.class, context),
                watch(NetworkPolicy.class, context));
    }

    private static <T extends HasMetadata> EventSource<T, UnreadCluster> watch(
            Class<T> type, EventSourceContext<UnreadCluster> context) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(type, UnreadCluster.class)
                        .withName(type.getSimpleName())
                        .withLabelSelector(Labels.SELECTOR)
                        .withSecondaryToPrimaryMapper(ClusterReconciler::clusterOf)
                        .build(),
                context);
    }

    private static Set<ResourceID> clusterOf(HasMetadata object) {
        String name = object.getMetadata().getLabels().get(Labels.INSTANCE);
        return name == null
                ? Set.of()
                : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
    }

    @Override
    public UpdateControl<UnreadCluster> reconcile(UnreadCluster unread, Context<UnreadCluster> context) {
        return switch (reader.read(unread)) {
            case ClusterReading.Understood understood -> reconcile(understood.cluster(), context);
            case ClusterReading.NotUnderstood not -> leaveAlone(unread, not, context.getClient());
        };
    }

    /** Tells why, once. The others are looked after meanwhile. */
    private static UpdateControl<UnreadCluster> leaveAlone(
            UnreadCluster unread, ClusterReading.NotUnderstood not, KubernetesClient client) {
        long generation = unread.getMetadata().getGeneration();
        LeftAlone left = LeftAlone.of(unread.getStatus(), not.why(), generation, now());
        if (left.isTold(unread.getStatus())) {
            return UpdateControl.noUpdate();
        }
        new Events(client, not.cluster()).tell(left.note());
        return UpdateControl.patchStatus(of(not.cluster(), left.status()));
    }

    private UpdateControl<UnreadCluster> reconcile(KvorumCluster cluster, Context<UnreadCluster> context) {
        Observation observation = Observation.of(cluster, context, nodes);
        Observed observed = observation.observed();
        Decision decision = Decision.of(observed);
        Events events = new Events(context.getClient(), cluster);
        List<String> failures = new ArrayList<>();
        ActionExecutor executor = new ActionExecutor(cluster, observed.name(), context.getClient(), nodes);
        if (decision.publication() != null) {
            executor.publish(decision.publication(), observation.map());
            events.tell(decision.publication().note());
            var _ = executor.carryOut(
                    decision.announcements(observed)); // Who was not reached is seen to be behind the next time.
        }
        Manifests manifests = new Manifests(cluster, observed.name(), context, home);
        if (observed.spec().paused()) {
            boolean isAsAsked = !manifests.differ(observed, decision)
                    && (observation.map() == null || executor.isOwned(observation.map()));
            return report(cluster, observed, isAsAsked ? decision : decision.held(), events, context.getClient());
        }
        Manifests.Outcome outcome =
                decision.sets().isEmpty() ? Manifests.Outcome.NOTHING : manifests.apply(observed, decision);
        failures.addAll(outcome.failures());
        if (!decision.sets().isEmpty() && decision.publication() == null && observation.map() != null) {
            executor.own(observation.map()).ifPresent(failures::add);
        }
        List<Action> allowed = decision.actions().stream()
                .filter(action -> !outcome.forbids(action))
                .toList();
        List<ActionExecutor.Result> results = executor.carryOut(allowed);
        for (int i = 0; i < allowed.size(); i++) {
            results.get(i).failure().ifPresent(failures::add);
            if (results.get(i).isDone()) {
                allowed.get(i).note().ifPresent(events::tell);
            }
        }
        Decision done = outcome.isSetChanged() ? decision.awaitingSets() : decision;
        Decision told = failures.isEmpty() ? done : done.failing(failures.getFirst());
        return report(cluster, observed, told, events, context.getClient());
    }

    /** Tells why nothing could be decided or published. It is tried again, so what failed once only is told in the log. */
    @Override
    public ErrorStatusUpdateControl<UnreadCluster> updateErrorStatus(
            UnreadCluster unread, Context<UnreadCluster> context, Exception failure) {
        return reader.read(unread) instanceof ClusterReading.Understood understood
                ? tellOf(failure, understood.cluster(), context)
                : ErrorStatusUpdateControl.defaultErrorProcessing();
    }

    private static ErrorStatusUpdateControl<UnreadCluster> tellOf(
            Exception failure, KvorumCluster cluster, Context<UnreadCluster> context) {
        boolean isSecond = context.getRetryInfo().isPresent();
        boolean isOutrun = failure instanceof KubernetesClientException refusal
                && refusal.getCode() == HttpURLConnection.HTTP_CONFLICT;
        KvorumClusterStatus before = cluster.getStatus();
        KvorumClusterStatus after = StatusReport.failed(before, inWords(failure), now());
        if (!isSecond || isOutrun || after.equals(before)) {
            return ErrorStatusUpdateControl.defaultErrorProcessing();
        }
        new Events(context.getClient(), cluster).tellChanges(before, after);
        return ErrorStatusUpdateControl.patchStatus(of(cluster, json(after, context.getClient())));
    }

    private static String inWords(Exception failure) {
        return failure instanceof KubernetesClientException refusal
                ? Refusals.inWords(refusal)
                : Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static UpdateControl<UnreadCluster> report(
            KvorumCluster cluster, Observed observed, Decision decision, Events events, KubernetesClient client) {
        KvorumClusterStatus before = cluster.getStatus();
        long generation = cluster.getMetadata().getGeneration();
        KvorumClusterStatus after = new StatusReport(observed, decision, generation, before, now()).status();
        Duration again = isSettled(decision, after, observed.spec().paused()) ? LATER : SOON;
        if (after.equals(before)) {
            return UpdateControl.<UnreadCluster>noUpdate().rescheduleAfter(again);
        }
        events.tellChanges(before, after);
        return UpdateControl.patchStatus(of(cluster, json(after, client))).rescheduleAfter(again);
    }

    private static boolean isSettled(Decision decision, KvorumClusterStatus status, boolean paused) {
        boolean ready = status.conditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
        return paused || ((ready || decision.isForAPerson()) && decision.publication() == null);
    }

    private static JsonNode json(KvorumClusterStatus status, KubernetesClient client) {
        return client.getKubernetesSerialization().convertValue(status, JsonNode.class);
    }

    /** Only what is applied: the status is the operator's, the spec is not. */
    private static UnreadCluster of(KvorumCluster cluster, JsonNode status) {
        UnreadCluster patch = new UnreadCluster();
        patch.setMetadata(new ObjectMetaBuilder()
                .withName(cluster.getMetadata().getName())
                .withNamespace(cluster.getMetadata().getNamespace())
                .build());
        patch.setStatus(status);
        return patch;
    }
}
