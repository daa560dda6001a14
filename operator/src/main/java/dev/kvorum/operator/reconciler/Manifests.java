package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.decision.Action;
import dev.kvorum.operator.decision.Decision;
import dev.kvorum.operator.decision.Observed;
import dev.kvorum.operator.dependents.DisruptionBudget;
import dev.kvorum.operator.dependents.MonitoringPolicy;
import dev.kvorum.operator.dependents.NodeAccount;
import dev.kvorum.operator.dependents.NodeMonitor;
import dev.kvorum.operator.dependents.NodeServices;
import dev.kvorum.operator.dependents.NodeSet;
import dev.kvorum.operator.dependents.PeerPolicy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.SSABasedGenericKubernetesResourceMatcher;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Brings what belongs to a cluster to what it should be, by server-side apply: fields that others own stay theirs. Asks nothing where nothing differs. */
final class Manifests {
    private final KvorumCluster cluster;
    private final ClusterName name;
    private final Context<?> context;
    private final KubernetesClient client;
    private final Optional<String> home;
    private final List<String> failures = new ArrayList<>();
    private boolean isSetChanged;

    /** @param home the operator's own namespace; empty where it runs outside of Kubernetes */
    Manifests(KvorumCluster cluster, ClusterName name, Context<?> context, Optional<String> home) {
        this.home = home;
        this.cluster = cluster;
        this.name = name;
        this.context = context;
        this.client = context.getClient();
    }

    /**
     * What came of it. What can't be made keeps nothing else from being made.
     *
     * @param isSetChanged whether a StatefulSet was made or changed
     * @param refusedSets zones whose StatefulSet could not be made or changed
     * @param failures what could not be made, and why, in words
     */
    record Outcome(boolean isSetChanged, Set<String> refusedSets, List<String> failures) {
        static final Outcome NOTHING = new Outcome(false, Set.of(), List.of());

        Outcome {
            refusedSets = Set.copyOf(refusedSets);
            failures = List.copyOf(failures);
        }

        /** Whether an action would take away what might not be made again: where one set is refused, another may be as well. */
        boolean forbids(Action action) {
            return action instanceof Action.RemakeSet && !refusedSets.isEmpty();
        }
    }

    /** @throws KubernetesClientException if the API server can't be asked */
    Outcome apply(Observed observed, Decision decision) {
        boolean hasAccount = apply(NodeAccount.of(cluster, name), null);
        besides(observed).forEach(desired -> apply(desired, null));
        Set<String> refusedSets = new HashSet<>();
        sets(observed, decision).forEach((zone, desired) -> {
            Observed.SetState present = observed.sets().get(zone);
            // Only the set that was looked at: one that is another by now may have members where it had none. And not
            // with the rights that somebody else's account of that name may have.
            boolean isBrought = hasAccount && apply(desired, present == null ? null : present.version());
            if (!isBrought) {
                refusedSets.add(zone);
            }
        });
        monitor();
        return new Outcome(isSetChanged, refusedSets, failures);
    }

    /** Whether anything is not as it should be. Changes nothing. */
    boolean differ(Observed observed, Decision decision) {
        return Stream.of(
                                Stream.of(NodeAccount.of(cluster, name)),
                                besides(observed).stream(),
                                sets(observed, decision).values().stream())
                        .flatMap(objects -> objects)
                        .anyMatch(this::differs)
                || isMonitorAmiss();
    }

    private List<HasMetadata> besides(Observed observed) {
        return List.of(
                NodeServices.peers(cluster, name),
                NodeServices.clients(cluster, name),
                DisruptionBudget.of(cluster, name, observed.isRebuilding() ? 0 : 1),
                MonitoringPolicy.of(cluster, name), // Before the ports are closed to its peers by the other.
                PeerPolicy.of(cluster, name, home));
    }

    /** The StatefulSets that are there or needed, by zone. */
    private Map<String, HasMetadata> sets(Observed observed, Decision decision) {
        Map<String, HasMetadata> sets = new TreeMap<>();
        decision.sets().forEach((zone, replicas) -> {
            Observed.SetState present = observed.sets().get(zone);
            if (present != null || replicas > 0) {
                String size = present == null ? cluster.getSpec().storage().size() : present.volumeSize();
                sets.put(zone, NodeSet.of(cluster, name, zone, replicas, size));
            }
        });
        return sets;
    }

    /**
     * Whether it is as it should be now, or was found to be another.
     *
     * @param version that of the object to be changed: another is left as it is; null for any
     */
    private boolean apply(HasMetadata desired, @Nullable String version) {
        return attempt(desired, () -> {
            boolean isChanged = bring(desired, version);
            isSetChanged |= isChanged && desired instanceof StatefulSet;
        });
    }

    private boolean attempt(HasMetadata desired, Runnable call) {
        try {
            call.run();
            return true;
        } catch (NameTakenException e) {
            failures.add(String.valueOf(e.getMessage()));
        } catch (KubernetesClientException e) {
            if (!Refusals.isAnswer(e)) {
                throw e;
            }
            failures.add("the API server refuses the " + desired.getKind() + " "
                    + desired.getMetadata().getName() + ": " + Refusals.inWords(e));
        }
        return false;
    }

    /** Whether it was made or changed, by this attempt or by somebody else's that came before it. */
    private boolean bring(HasMetadata desired, @Nullable String version) {
        HasMetadata actual = present(desired).orElse(null);
        if (actual == null) {
            return make(desired);
        } else if (actual.getMetadata().getDeletionTimestamp() != null) {
            return true; // It is made anew when it has gone.
        } else if (matches(actual, desired)) {
            return false;
        }
        desired.getMetadata().setResourceVersion(version);
        return isChangedBy(desired, actual);
    }

    /** Two clusters may come to the same names: "demo" in zone "a", and "demo-a". */
    private boolean make(HasMetadata desired) {
        HasMetadata present = client.resource(desired).get();
        if (present != null && !Labels.areOf(name, present) && !isOwned(present)) {
            throw taken(present);
        } else if (present instanceof StatefulSet) {
            // What was decided is about one that is not there: another decision is due when it is seen.
            if (!isSeen(present, desired)) {
                label(present, desired);
            }
            return true;
        }
        return isChangedBy(desired, present);
    }

    /** Whether it has the labels by which it is found. */
    private boolean isSeen(HasMetadata present, HasMetadata as) {
        String zone = as.getMetadata().getLabels().get(Labels.ZONE);
        return Labels.areOf(name, present)
                && Objects.equals(zone, present.getMetadata().getLabels().get(Labels.ZONE));
    }

    private void label(HasMetadata present, HasMetadata as) {
        Map<String, Object> metadata = Map.of(
                "resourceVersion", present.getMetadata().getResourceVersion(),
                "labels", as.getMetadata().getLabels());
        String patch = client.getKubernetesSerialization().asJson(Map.of("metadata", metadata));
        try {
            var _ = client.resource(present).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    private boolean matches(HasMetadata actual, HasMetadata desired) {
        return SSABasedGenericKubernetesResourceMatcher.<HasMetadata>getInstance()
                .matches(actual, desired, context);
    }

    private boolean differs(HasMetadata desired) {
        HasMetadata actual = present(desired).orElse(null);
        return actual == null || (!matches(actual, desired) && isToBeChanged(desired, actual));
    }

    /** By the API server's own word. */
    private boolean isToBeChanged(HasMetadata desired, HasMetadata actual) {
        try {
            HasMetadata tried = client.resource(desired)
                    .dryRun()
                    .fieldManager(Labels.OPERATOR)
                    .forceConflicts()
                    .serverSideApply();
            Long generation = actual.getMetadata().getGeneration();
            return generation == null
                    ? !content(tried).equals(content(actual))
                    : !generation.equals(tried.getMetadata().getGeneration());
        } catch (KubernetesClientException e) {
            if (!Refusals.isAnswer(e)) {
                throw e;
            }
            return true; // It can't even be asked for.
        }
    }

    /** Without what says when, and by whom, it was brought about. */
    private HasMetadata content(HasMetadata object) {
        HasMetadata content = client.getKubernetesSerialization().clone(object);
        content.getMetadata().setManagedFields(List.of());
        content.getMetadata().setResourceVersion(null);
        return content;
    }

    private boolean isChangedBy(HasMetadata desired, @Nullable HasMetadata actual) {
        try {
            // By its generation, not by the look above: that may see differences where the API server sees none.
            Long applied = force(desired).getMetadata().getGeneration();
            return !Objects.equals(
                    applied, actual == null ? null : actual.getMetadata().getGeneration());
        } catch (KubernetesClientException e) {
            if (desired.getMetadata().getResourceVersion() == null || e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            return true;
        }
    }

    private HasMetadata force(HasMetadata desired) {
        return client.resource(desired)
                .fieldManager(Labels.OPERATOR)
                .forceConflicts()
                .serverSideApply();
    }

    private Optional<HasMetadata> present(HasMetadata desired) {
        return context.getSecondaryResourcesAsStream(desired.getClass())
                .filter(object -> object.getMetadata()
                        .getName()
                        .equals(desired.getMetadata().getName()))
                .findFirst()
                .map(object -> object);
    }

    private static NameTakenException taken(HasMetadata present) {
        return new NameTakenException(
                present.getKind() + " " + present.getMetadata().getName()
                        + " is there already and does not belong to this cluster: give one of the two another name");
    }

    /** Whether it belongs to this cluster, whatever somebody has done to its labels. */
    private boolean isOwned(HasMetadata present) {
        return present.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(cluster.getMetadata().getUid()));
    }

    /** Somebody else's does not count. */
    private boolean isMonitorAmiss() {
        if (!knowsMonitors()) {
            return false;
        }
        GenericKubernetesResource monitor = NodeMonitor.of(cluster, name);
        GenericKubernetesResource present = client.resource(monitor).get();
        boolean isThere = present != null && Labels.areOf(name, present);
        return cluster.getSpec().monitoring().podMonitor() ? !isThere || isToBeChanged(monitor, present) : isThere;
    }

    private boolean knowsMonitors() {
        return client.getApiResources(NodeMonitor.API_VERSION) != null;
    }

    private void monitor() {
        GenericKubernetesResource monitor = NodeMonitor.of(cluster, name);
        var _ = attempt(monitor, () -> {
            if (!knowsMonitors()) {
                return;
            }
            if (cluster.getSpec().monitoring().podMonitor()) {
                GenericKubernetesResource present = client.resource(monitor).get();
                if (present != null && !Labels.areOf(name, present)) {
                    throw taken(present);
                }
                var _ = force(monitor);
            } else {
                withdraw(monitor);
            }
        });
    }

    /** One of this name may be somebody's who monitors the cluster in his own way. */
    private void withdraw(GenericKubernetesResource monitor) {
        GenericKubernetesResource present = client.resource(monitor).get();
        if (present != null && Labels.areOf(name, present)) {
            var _ = client.resource(monitor).delete();
        }
    }
}
