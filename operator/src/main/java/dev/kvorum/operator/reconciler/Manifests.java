package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Retention;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.decision.Decision;
import dev.kvorum.operator.decision.Observed;
import dev.kvorum.operator.dependents.DisruptionBudget;
import dev.kvorum.operator.dependents.NodeAccount;
import dev.kvorum.operator.dependents.NodeMonitor;
import dev.kvorum.operator.dependents.NodeServices;
import dev.kvorum.operator.dependents.NodeSet;
import dev.kvorum.operator.dependents.PeerPolicy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.SSABasedGenericKubernetesResourceMatcher;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings what belongs to a cluster to what it should be, by server-side apply: fields that others own stay theirs. Asks nothing where nothing differs. */
final class Manifests {
    private final KvorumCluster cluster;
    private final ClusterName name;
    private final Context<KvorumCluster> context;
    private final KubernetesClient client;
    private final Optional<String> home;
    private final List<String> failures = new ArrayList<>();

    /** @param home the operator's own namespace; empty where it runs outside of Kubernetes */
    Manifests(KvorumCluster cluster, ClusterName name, Context<KvorumCluster> context, Optional<String> home) {
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
     * @param failures what could not be made, and why, in words
     */
    record Outcome(boolean isSetChanged, List<String> failures) {
        Outcome {
            failures = List.copyOf(failures);
        }
    }

    /** @throws KubernetesClientException if the API server can't be asked */
    Outcome apply(Observed observed, Decision decision) {
        apply(NodeAccount.of(cluster, name));
        boolean hasAccount = failures.isEmpty();
        apply(NodeServices.peers(cluster, name));
        apply(NodeServices.clients(cluster, name));
        apply(DisruptionBudget.of(cluster, name, observed.isRebuilding() ? 0 : 1));
        apply(PeerPolicy.of(cluster, name, home));
        boolean isChanged = false;
        for (Map.Entry<String, Integer> set : decision.sets().entrySet()) {
            Observed.SetState present = observed.sets().get(set.getKey());
            // Not with the rights that somebody else's account of that name may have.
            if (hasAccount && (present != null || set.getValue() > 0)) {
                String size = present == null ? cluster.getSpec().storage().size() : present.volumeSize();
                // Only the set that was looked at: one that is another by now may have members where it had none.
                isChanged |= apply(
                        NodeSet.of(
                                cluster,
                                name,
                                set.getKey(),
                                set.getValue(),
                                size,
                                decision.remade().contains(set.getKey())
                                        ? Retention.Retain
                                        : cluster.getSpec().storage().retention()),
                        present == null ? null : present.version());
            }
        }
        monitor();
        return new Outcome(isChanged, failures);
    }

    private <T extends HasMetadata> void apply(T desired) {
        apply(desired, null);
    }

    /**
     * Whether it was made or changed, by this deed or by somebody else's that came before it.
     *
     * @param version that of the object to be changed: another is left as it is; null for any
     */
    private <T extends HasMetadata> boolean apply(T desired, @Nullable String version) {
        boolean[] isChanged = new boolean[1];
        attempt(desired, () -> isChanged[0] = bring(desired, version));
        return isChanged[0];
    }

    private void attempt(HasMetadata desired, Runnable deed) {
        try {
            deed.run();
        } catch (NameTakenException e) {
            failures.add(String.valueOf(e.getMessage()));
        } catch (KubernetesClientException e) {
            if (!Refusals.isAnswer(e)) {
                throw e;
            }
            failures.add("the API server refuses the " + desired.getKind() + " "
                    + desired.getMetadata().getName() + ": " + Refusals.inWords(e));
        }
    }

    private <T extends HasMetadata> boolean bring(T desired, @Nullable String version) {
        Optional<T> actual = present(desired);
        if (actual.isEmpty()) {
            requireFree(desired);
        } else if (SSABasedGenericKubernetesResourceMatcher.<T>getInstance().matches(actual.get(), desired, context)) {
            return false;
        } else {
            desired.getMetadata().setResourceVersion(version);
        }
        return isChangedBy(desired, actual.orElse(null));
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

    @SuppressWarnings("unchecked") // The class of an object is that of its type.
    private <T extends HasMetadata> Optional<T> present(T desired) {
        Class<T> type = (Class<T>) desired.getClass();
        return context.getSecondaryResourcesAsStream(type)
                .filter(object -> object.getMetadata()
                        .getName()
                        .equals(desired.getMetadata().getName()))
                .findFirst();
    }

    /** Two clusters may come to the same names: "demo" in zone "a", and "demo-a". */
    private void requireFree(HasMetadata desired) {
        HasMetadata present = client.resource(desired).get();
        if (present != null && !Labels.areOf(name, present)) {
            throw new NameTakenException(
                    present.getKind() + " " + present.getMetadata().getName()
                            + " is there already and does not belong to this cluster: give one of the two another name");
        }
    }

    private void monitor() {
        GenericKubernetesResource monitor = NodeMonitor.of(cluster, name);
        attempt(monitor, () -> {
            if (client.getApiResources(NodeMonitor.API_VERSION) == null) {
                return; // This Kubernetes knows of none.
            }
            if (cluster.getSpec().monitoring().podMonitor()) {
                requireFree(monitor);
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
