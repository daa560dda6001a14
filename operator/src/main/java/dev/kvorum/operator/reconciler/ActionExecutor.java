package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.decision.Action;
import dev.kvorum.operator.decision.Publication;
import dev.kvorum.operator.dependents.TopologyMap;
import dev.kvorum.operator.dependents.VolumeOwners;
import dev.kvorum.operator.node.ClusterNodes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out what was decided. Each action names what it was decided about (a uid, a version), so one that comes late, or twice, changes nothing else. */
final class ActionExecutor {
    private final KvorumCluster cluster;
    private final ClusterName name;
    private final KubernetesClient client;
    private final ClusterNodes nodes;

    /**
     * The result of an action.
     *
     * @param isDone not if that which it was about is another by now: then another decision is due
     * @param failure why it could not be done, in words; empty where nothing refused it
     */
    record Result(boolean isDone, Optional<String> failure) {
        static final Result DONE = new Result(true, Optional.empty());
        static final Result OUTRUN = new Result(false, Optional.empty());

        static Result failed(String reason) {
            return new Result(false, Optional.of(reason));
        }
    }

    ActionExecutor(KvorumCluster cluster, ClusterName name, KubernetesClient client, ClusterNodes nodes) {
        this.cluster = cluster;
        this.name = name;
        this.client = client;
        this.nodes = nodes;
    }

    /**
     * Publishes a topology in the place of the one that was looked at.
     *
     * @param present the ConfigMap that was looked at; null if there was none
     * @throws KubernetesClientException with 409 if it is another by now: then another decision is due
     */
    void publish(Publication publication, @Nullable ConfigMap present) {
        ConfigMap map = TopologyMap.of(cluster, name, publication.topology(), publication.switched());
        if (present == null) {
            var _ = client.resource(map).create();
        } else {
            var _ = client.resource(map)
                    .lockResourceVersion(present.getMetadata().getResourceVersion())
                    .update();
        }
    }

    /** Lets the topology that was looked at go with the cluster or outlive it, as the spec says by now. Why that could not be done, in words; empty if it was. */
    Optional<String> own(ConfigMap present) {
        if (isOwned(present)) {
            return Optional.empty();
        }
        List<OwnerReference> owners = TopologyMap.metadata(cluster, name).getOwnerReferences();
        ConfigMap owned = present.edit()
                .editMetadata()
                .withOwnerReferences(owners)
                .endMetadata()
                .build();
        try {
            return unlessChanged(() -> client.resource(owned)
                            .lockResourceVersion(present.getMetadata().getResourceVersion())
                            .update())
                    .failure();
        } catch (KubernetesClientException e) {
            return Optional.of(Refusals.inWords(e));
        }
    }

    /** Whether the topology goes or stays with the cluster as the spec says. */
    boolean isOwned(ConfigMap present) {
        return TopologyMap.metadata(cluster, name)
                .getOwnerReferences()
                .equals(present.getMetadata().getOwnerReferences());
    }

    /**
     * Carries them out in their order. Those that follow each other and only tell nodes something go out at once: one that does not answer holds up no other.
     *
     * @return the results, in that order
     */
    List<Result> carryOut(List<Action> actions) {
        List<Result> results = new ArrayList<>(actions.size());
        int next = 0;
        while (next < actions.size()) {
            int end = next;
            while (end < actions.size() && tellsNode(actions.get(end))) {
                end++;
            }
            if (end > next) {
                results.addAll(tell(actions.subList(next, end)));
                next = end;
            } else {
                results.add(carryOut(actions.get(next)));
                next++;
            }
        }
        return results;
    }

    private static boolean tellsNode(Action action) {
        return action instanceof Action.Push || action instanceof Action.Settle;
    }

    private List<Result> tell(List<Action> actions) {
        List<CompletableFuture<Result>> told;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            told = actions.stream()
                    .map(action -> CompletableFuture.supplyAsync(() -> carryOut(action), threads))
                    .toList();
        }
        return told.stream().map(CompletableFuture::join).toList();
    }

    Result carryOut(Action action) {
        try {
            return switch (action) {
                case Action.Push push -> result(push.member().id(), nodes.push(push.member(), push.topology()));
                case Action.Settle settle ->
                    result(settle.member().id(), nodes.settle(settle.member(), settle.epoch(), settle.gone()));
                case Action.MarkJoined mark -> mark(mark.member(), mark.version(), Labels.JOINED, mark.epoch());
                case Action.TakeMarkBack mark -> mark(mark.member(), mark.version(), Labels.JOINED, null);
                case Action.MarkRemoved mark -> mark(mark.member(), mark.version(), Labels.REMOVED, mark.epoch());
                case Action.ReplacePod pod ->
                    delete(client.pods().inNamespace(name.namespace()).withName(pod.member()), pod.uid());
                case Action.OwnVolume volume -> own(volume);
                case Action.DeleteVolume volume -> delete(claim(volume.member()), volume.uid());
                case Action.ResizeVolume volume -> resize(volume);
                case Action.RemakeSet set -> remake(set);
                case Action.TakeStatusBack set -> takeStatusBack(set.zone(), set.version());
                case Action.DeleteSet set -> orphan(set.zone(), set.version());
            };
        } catch (KubernetesClientException e) {
            return Result.failed(Refusals.inWords(e));
        }
    }

    private static Result result(String member, ClusterNodes.Answer answer) {
        return switch (answer) {
            case ClusterNodes.Answer.Done done -> Result.DONE;
            // Its report tells whether it has come through; it is asked again soon.
            case ClusterNodes.Answer.Unreachable unreachable -> Result.DONE;
            case ClusterNodes.Answer.Refused refused -> Result.failed(member + " refuses: " + refused.reason());
        };
    }

    /**
     * Nothing, if it is another version by now: then another decision is due.
     *
     * @param epoch null to take the mark away
     */
    private Result mark(String member, String version, String annotation, @Nullable Long epoch) {
        String value = epoch == null ? "null" : "\"" + epoch + "\"";
        String patch = """
                {"metadata": {"resourceVersion": "%s", "annotations": {"%s": %s}}}""".formatted(version, annotation, value);
        return unlessChanged(() -> claim(member).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    private Result resize(Action.ResizeVolume volume) {
        var _ = claim(volume.member())
                .edit(claim -> claim.edit()
                        .editSpec()
                        .editResources()
                        .addToRequests(Map.of("storage", new Quantity(volume.size())))
                        .endResources()
                        .endSpec()
                        .build());
        return Result.DONE;
    }

    /** Replaces the owners that are there now, and no others: somebody else may name one at the same time. */
    private Result own(Action.OwnVolume volume) {
        PersistentVolumeClaim present = claim(volume.member()).get();
        if (present == null || !volume.uid().equals(present.getMetadata().getUid())) {
            return Result.OUTRUN;
        }
        Map<String, Object> metadata = Map.of(
                "resourceVersion",
                present.getMetadata().getResourceVersion(),
                "ownerReferences",
                VolumeOwners.of(cluster, present.getMetadata().getOwnerReferences()));
        String patch = client.getKubernetesSerialization().asJson(Map.of("metadata", metadata));
        return unlessChanged(() -> claim(volume.member()).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    /** Asks the API server itself, whatever labels say: by an older look, volumes could seem not to belong to the set yet. If they do, another decision is due. */
    private Result remake(Action.RemakeSet remade) {
        StatefulSet present = set(remade.zone()).get();
        if (present == null) {
            return Result.OUTRUN;
        }
        List<PersistentVolumeClaim> claims = client.persistentVolumeClaims()
                .inNamespace(name.namespace())
                .list()
                .getItems();
        return KubernetesStates.keepsVolumes(present, claims) ? orphan(remade.zone(), remade.version()) : Result.OUTRUN;
    }

    /** Deletes it without what belongs to it. */
    private Result orphan(String zone, String version) {
        DeleteOptions options = new DeleteOptionsBuilder()
                .withPropagationPolicy(DeletionPropagation.ORPHAN.toString())
                .withNewPreconditions()
                .withResourceVersion(version)
                .endPreconditions()
                .build();
        String path = "/apis/apps/v1/namespaces/" + name.namespace() + "/statefulsets/" + name.set(zone);
        return unlessChanged(() -> client.raw(path, "DELETE", options));
    }

    private Result takeStatusBack(String zone, String version) {
        String patch = """
                {"metadata": {"resourceVersion": "%s"}, "status": {"observedGeneration": null}}""".formatted(version);
        return unlessChanged(() -> set(zone).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    private Resource<StatefulSet> set(String zone) {
        return client.apps().statefulSets().inNamespace(name.namespace()).withName(name.set(zone));
    }

    /** Nothing, if another has taken its place: that is not the one that was meant. */
    private static <T extends HasMetadata> Result delete(Resource<T> resource, String uid) {
        T present = resource.get();
        if (present == null || !uid.equals(present.getMetadata().getUid())) {
            return Result.OUTRUN;
        }
        return unlessChanged(
                () -> resource.lockResourceVersion(present.getMetadata().getResourceVersion())
                        .delete());
    }

    private static Result unlessChanged(Supplier<?> call) {
        try {
            var _ = call.get();
            return Result.DONE;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Result.OUTRUN;
            }
            throw e;
        }
    }

    private Resource<PersistentVolumeClaim> claim(String member) {
        return client.persistentVolumeClaims().inNamespace(name.namespace()).withName(name.volume(member));
    }
}
