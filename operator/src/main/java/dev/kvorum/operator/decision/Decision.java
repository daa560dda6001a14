package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done now, and what there is to tell. Made from an {@link Observed} alone: who decides remembers nothing, so it may die at any instant.
 *
 * <ol>
 *   <li>Without a published topology: the one that nodes go by, or the first one. Never the first one where volumes show that there was another.
 *   <li>A topology that the spec contradicts is left alone.
 *   <li>Nodes that go by a newer one are right.
 *   <li>Volumes are marked; pods that are outdated are replaced ({@link Rollout}); members change ({@link MembershipDecision}). At most one topology is published
 *       or one pod replaced at a time.
 * </ol>
 *
 * @param sets how many pods each zone's StatefulSet has; empty where they are to be left alone
 * @param publication the topology to be published; null for none
 * @param actions what is to be done besides, in this order
 * @param obstacle why nothing can be done; null where something can
 * @param serving ids of members that serve clients, with all of their data
 * @param available whether every partition has its quorum
 * @param trouble what is wrong besides, in words; null for nothing
 */
public record Decision(
        Map<String, Integer> sets,
        @Nullable Publication publication,
        List<Action> actions,
        @Nullable Obstacle obstacle,
        @Nullable MembershipStep membership,
        @Nullable RolloutStep rollout,
        Set<String> serving,
        boolean available,
        @Nullable String trouble) {

    /** What these observations ask for. */
    public static Decision of(Observed observed) {
        Decision decision = observed.published() == null
                ? first(observed)
                : next(observed, observed.published().topology());
        return observed.spec().paused() ? decision.withoutDoing() : decision;
    }

    /**
     * What is to be done when {@link #publication} is published, and not before: nodes are given it at once. It is no loss if somebody is not reached; the next decision
     * finds him behind.
     */
    public List<Action> announcements(Observed observed) {
        return publication == null ? List.of() : new Level(observed, publication.topology()).pushes();
    }

    private static Decision first(Observed observed) {
        Topology newest = observed.newest();
        if (newest != null) {
            Obstacle contradiction = contradiction(observed, newest);
            Note note = Note.warning(
                    "TopologyRestored",
                    "The topology was gone; epoch " + newest.epoch() + " is restored from the nodes");
            return contradiction != null
                    ? blocked(contradiction)
                    : publishing(new Publication(newest, newest.isChanging(), note));
        }
        if (!observed.volumes().isEmpty()) {
            return blocked(new Obstacle(
                    false,
                    "TopologyLost",
                    "volumes of an earlier cluster of this name are here, but the ConfigMap "
                            + observed.name().topology()
                            + " is not, and no node can be asked: restore it, or delete the volumes if nothing in them is missed ("
                            + "kubectl delete pvc -l app.kubernetes.io/instance="
                            + observed.name().name() + " -n "
                            + observed.name().namespace() + ")"));
        }
        Topology topology = new Topology(
                observed.name().identity(),
                1,
                observed.spec().replicationFactor(),
                observed.spec().partitions(),
                MembershipDecision.target(observed));
        return publishing(new Publication(
                topology,
                false,
                Note.normal(
                        "Created",
                        "Epoch 1 names the first " + topology.members().size() + " members")));
    }

    private static Decision next(Observed observed, Topology topology) {
        Obstacle contradiction = contradiction(observed, topology);
        if (contradiction != null) {
            return blocked(contradiction);
        }
        Topology newest = observed.newest();
        if (newest != null && newest.epoch() > topology.epoch()) {
            Note note = Note.warning(
                    "TopologyAdopted",
                    "Nodes go by epoch " + newest.epoch() + ", which was published by somebody else: it is adopted");
            return publishing(new Publication(newest, newest.isChanging(), note));
        }
        return settle(observed, topology);
    }

    private static Decision settle(Observed observed, Topology topology) {
        Availability availability = new Availability(observed, topology);
        Level level = new Level(observed, topology);
        Volumes volumes = new Volumes(observed, topology, level.membersBehind().isEmpty());
        RolloutStep rollout = new Rollout(observed, topology, availability).next();
        MembershipStep membership = new MembershipDecision(observed, topology, availability, rollout).next();
        List<Action> actions = new ArrayList<>(level.pushes());
        actions.addAll(volumes.actions());
        actions.addAll(membership.actions());
        if (membership.publication() == null) {
            actions.addAll(rollout.actions());
        }
        Map<String, Integer> sets = SetSizes.of(observed, topology, membership.starting(), volumes);
        sets.forEach((zone, size) -> deleteSet(observed, zone, size).ifPresent(actions::add));
        return new Decision(
                sets,
                membership.publication(),
                List.copyOf(actions),
                null,
                membership,
                rollout,
                availability.serving(),
                availability.isComplete(),
                volumes.trouble().orElse(null));
    }

    private static Optional<Action> deleteSet(Observed observed, String zone, int size) {
        Observed.SetState set = observed.sets().get(zone);
        boolean isEmpty = size == 0 && set != null && set.replicas() == 0;
        boolean hasPods = observed.pods().keySet().stream()
                .anyMatch(pod -> observed.name().zoneOf(pod, List.of(zone)).isPresent());
        return isEmpty && !hasPods ? Optional.of(new Action.DeleteSet(zone)) : Optional.empty();
    }

    private static @Nullable Obstacle contradiction(Observed observed, Topology topology) {
        String what = null;
        if (!observed.name().identity().equals(topology.cluster())) {
            what = "it is that of the cluster \"" + topology.cluster() + "\"";
        } else if (topology.partitions() != observed.spec().partitions()) {
            what = "it has " + topology.partitions() + " partitions, spec.partitions is "
                    + observed.spec().partitions();
        } else if (topology.replicationFactor() != observed.spec().replicationFactor()) {
            what = "its replication factor is " + topology.replicationFactor() + ", spec.replicationFactor is "
                    + observed.spec().replicationFactor();
        } else if (topology.members().stream().anyMatch(member -> !isNamed(observed, member))) {
            what = "its members " + topology.members().stream().map(Member::id).toList() + " are "
                    + (observed.name().zoned() ? "not in zones" : "in zones") + ", spec.zones says otherwise";
        }
        return what == null
                ? null
                : new Obstacle(
                        true,
                        "TopologyDiffers",
                        "the ConfigMap " + observed.name().topology()
                                + " holds the topology of an earlier cluster of this name: " + what
                                + ". Ask for the same, or delete its volumes and that ConfigMap");
    }

    private static boolean isNamed(Observed observed, Member member) {
        return member.id()
                .equals(observed.name()
                        .memberAt(ClusterName.seat(member), MemberState.ACTIVE, null)
                        .id());
    }

    private static Decision publishing(Publication publication) {
        return new Decision(Map.of(), publication, List.of(), null, null, null, Set.of(), false, null);
    }

    private static Decision blocked(Obstacle obstacle) {
        return new Decision(Map.of(), null, List.of(), obstacle, null, null, Set.of(), false, null);
    }

    /** The same, of which something could not be done, for this reason. */
    public Decision failing(String reason) {
        return new Decision(sets, publication, actions, obstacle, membership, rollout, serving, available, reason);
    }

    /** The same, when a StatefulSet has just been changed: which pods are outdated shows only when Kubernetes has taken that over. */
    public Decision awaitingSets() {
        return new Decision(
                sets,
                publication,
                actions,
                obstacle,
                membership,
                RolloutStep.waiting(Rollout.NOT_SEEN),
                serving,
                available,
                trouble);
    }

    private Decision withoutDoing() {
        return new Decision(Map.of(), null, List.of(), obstacle, membership, rollout, serving, available, trouble);
    }
}
