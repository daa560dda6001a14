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
 * @param remade zones whose StatefulSet is about to be made anew: before that, its volumes must not be its own, or they might go with it
 * @param publication the topology to be published; null for none
 * @param actions what is to be done besides, in this order
 * @param obstacle why nothing can be done; null where something can
 * @param serving ids of members that serve clients, with all of their data
 * @param available whether every partition has its quorum
 * @param trouble what is wrong besides, in words; null for nothing
 */
public record Decision(
        Map<String, Integer> sets,
        Set<String> remade,
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
                    ? blocked(contradiction, new Availability(observed, newest))
                    : publishing(
                            new Publication(newest, newest.isChanging(), note), new Availability(observed, newest));
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
        List<Member> members = MembershipDecision.target(observed);
        Optional<String> strangers = observed.strangersAmong(members);
        if (strangers.isPresent()) {
            return blocked(new Obstacle(false, "VolumesOfOthers", strangers.get()));
        }
        Topology topology = new Topology(
                observed.name().identity(),
                1,
                observed.spec().replicationFactor(),
                observed.spec().partitions(),
                members);
        Note note = Note.normal("Created", "Epoch 1 names the first " + members.size() + " members");
        return publishing(new Publication(topology, false, note), new Availability(observed, topology));
    }

    private static Decision next(Observed observed, Topology topology) {
        Obstacle contradiction = contradiction(observed, topology);
        if (contradiction != null) {
            return blocked(contradiction, new Availability(observed, topology));
        }
        Topology newest = observed.newest();
        if (newest != null && newest.epoch() > topology.epoch()) {
            Obstacle doubt = doubt(observed, topology, newest);
            if (doubt != null) {
                return blocked(doubt, new Availability(observed, topology));
            }
            Note note = Note.warning(
                    "TopologyAdopted",
                    "Nodes go by epoch " + newest.epoch() + ", which was published by somebody else: it is adopted");
            return publishing(new Publication(newest, newest.isChanging(), note), new Availability(observed, topology));
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
                volumes.remade(),
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
        return isEmpty && observed.podsIn(zone).isEmpty() ? Optional.of(new Action.DeleteSet(zone)) : Optional.empty();
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

    /** What keeps a newer topology from being believed: a node may have been taken over, and whom it leaves out would lose his volume. */
    private static @Nullable Obstacle doubt(Observed observed, Topology published, Topology newest) {
        Obstacle contradiction = contradiction(observed, newest);
        List<String> missing = published.members().stream()
                .filter(member -> member.state() != MemberState.LEAVING
                        && newest.member(member.id()).isEmpty())
                .map(Member::id)
                .toList();
        List<String> elsewhere = newest.members().stream()
                .filter(member -> !isAtItsAddress(observed, member))
                .map(Member::id)
                .toList();
        String what;
        if (contradiction != null) {
            what = contradiction.message();
        } else if (!elsewhere.isEmpty()) {
            what = "it gives " + String.join(", ", elsewhere) + " another address than this cluster does";
        } else if (!missing.isEmpty()) {
            what = "it leaves out " + String.join(", ", missing) + ", of which nobody has asked that they leave";
        } else {
            return null;
        }
        return new Obstacle(
                false,
                "TopologyDoubted",
                "a node goes by epoch " + newest.epoch()
                        + ", which is newer than what is published and is not adopted: "
                        + what + ". If it is right nevertheless, delete the ConfigMap "
                        + observed.name().topology() + ": then it is restored from the nodes");
    }

    private static boolean isAtItsAddress(Observed observed, Member member) {
        return named(observed, member)
                .filter(asNamed ->
                        member.api().equals(asNamed.api()) && member.peer().equals(asNamed.peer()))
                .isPresent();
    }

    private static boolean isNamed(Observed observed, Member member) {
        return named(observed, member).isPresent();
    }

    /** The member of this cluster that it is; empty where none is called so. */
    private static Optional<Member> named(Observed observed, Member member) {
        return Optional.of(member)
                .filter(any -> observed.name().isMember(any.id()))
                .map(any -> observed.name().memberAt(ClusterName.seat(any), MemberState.ACTIVE, null))
                .filter(asNamed -> asNamed.id().equals(member.id()));
    }

    private static Decision publishing(Publication publication, Availability availability) {
        return beforeAll(publication, null, availability.serving(), availability.isComplete());
    }

    private static Decision blocked(Obstacle obstacle) {
        return beforeAll(null, obstacle, Set.of(), false);
    }

    /** The nodes go on serving meanwhile. */
    private static Decision blocked(Obstacle obstacle, Availability availability) {
        return beforeAll(null, obstacle, availability.serving(), availability.isComplete());
    }

    /** Without looking further: sets, pods and volumes are left alone. */
    private static Decision beforeAll(
            @Nullable Publication publication, @Nullable Obstacle obstacle, Set<String> serving, boolean available) {
        return new Decision(Map.of(), Set.of(), publication, List.of(), obstacle, null, null, serving, available, null);
    }

    /** Whether nothing goes on until a person changes the spec or a volume, which is seen at once, and no pod is being replaced meanwhile. */
    public boolean isForAPerson() {
        boolean refused = membership != null && membership.step() == ChangeStep.Refused;
        return (obstacle != null || refused) && actions.isEmpty() && (rollout == null || rollout.isDone());
    }

    /** The same, of which something could not be done, for this reason. */
    public Decision failing(String reason) {
        return new Decision(
                sets, remade, publication, actions, obstacle, membership, rollout, serving, available, reason);
    }

    /** The same, when a StatefulSet has just been changed: which pods are outdated shows only when Kubernetes has taken that over. */
    public Decision awaitingSets() {
        return new Decision(
                sets,
                remade,
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
        return new Decision(
                Map.of(), Set.of(), null, List.of(), obstacle, membership, rollout, serving, available, trouble);
    }
}
