package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.KvorumCluster;
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

    Manifests(KvorumCluster cluster, ClusterName name, Context<KvorumCluster> context) {
        this.cluster = cluster;
        this.name = name;
        this.context = context;
        this.client = context.getClient();
    }

    /**
     * @return whether a StatefulSet was made or changed
     * @throws NameTakenException if something of that name is not this cluster's
     */
    boolean apply(Observed observed, Decision decision) {
        apply(NodeAccount.of(cluster, name));
        apply(NodeServices.peers(cluster, name));
        apply(NodeServices.clients(cluster, name));
        apply(DisruptionBudget.of(cluster, name));
        apply(PeerPolicy.of(cluster, name));
        boolean isChanged = false;
        for (Map.Entry<String, Integer> set : decision.sets().entrySet()) {
            Observed.SetState present = observed.sets().get(set.getKey());
            if (present != null || set.getValue() > 0) {
                String size = present == null ? cluster.getSpec().storage().size() : present.volumeSize();
                // Only the set that was looked at: one that is another by now may have members where it had none.
                isChanged |= apply(
                        NodeSet.of(cluster, name, set.getKey(), set.getValue(), size),
                        present == null ? null : present.version());
            }
        }
        monitor();
        return isChanged;
    }

    /** Whether it was made or changed. */
    private <T extends HasMetadata> boolean apply(T desired) {
        return apply(desired, null);
    }

    /**
     * Whether it was made or changed, by this deed or by somebody else's that came before it.
     *
     * @param version that of the object to be changed: another is left as it is; null for any
     */
    private <T extends HasMetadata> boolean apply(T desired, @Nullable String version) {
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
        if (present == null) {
            return;
        }
        Map<String, String> labels = present.getMetadata().getLabels();
        boolean ours = labels != null
                && Objects.equals(labels.get(Labels.INSTANCE), name.name())
                && Objects.equals(labels.get(Labels.MANAGED_BY), Labels.OPERATOR);
        if (!ours) {
            throw new NameTakenException(
                    present.getKind() + " " + present.getMetadata().getName()
                            + " is there already and does not belong to this cluster: give one of the two another name");
        }
    }

    private void monitor() {
        boolean wanted = cluster.getSpec().monitoring().podMonitor();
        long seen = cluster.getStatus() == null ? 0 : cluster.getStatus().observedGeneration();
        boolean changed = seen != cluster.getMetadata().getGeneration();
        if ((wanted || changed) && client.getApiResources(NodeMonitor.API_VERSION) != null) {
            GenericKubernetesResource monitor = NodeMonitor.of(cluster, name);
            if (wanted) {
                var _ = force(monitor);
            } else {
                var _ = client.resource(monitor).delete();
            }
        }
    }
}
