package dev.kvorum.operator.decision;

import dev.kvorum.operator.node.NodeReport;
import dev.kvorum.topology.Member;
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
 *   <li>Nodes that go by a newer one are right, unless somebody would lose by it ({@link Succession}).
 *   <li>Volumes are marked; pods that are outdated are replaced ({@link Rollout}); members change ({@link MembershipDecision}). At most one topology is published
 *       or one pod replaced at a time.
 * </ol>
 *
 * @param sets how many pods each zone's StatefulSet has; empty where nothing is known of them
 * @param remade zones whose StatefulSet is about to be made anew: before that, its volumes must not be its own, or they might go with it
 * @param publication the topology to be published; null for none
 * @param actions what is to be done besides, in this order
 * @param obstacle why nothing can be done; null where something can
 * @param serving ids of members that serve clients, with all of their data
 * @param available whether every partition has its quorum
 * @param trouble what is wrong besides, in words; null for nothing
 * @param isHeld whether the spec says paused, and something is to be done but for that
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
        @Nullable String trouble,
        boolean isHeld) {

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
            return restored(observed, newest);
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

    private static Decision restored(Observed observed, Topology newest) {
        Availability availability = new Availability(observed, newest);
        Succession succession = new Succession(observed);
        String gone = "there is no ConfigMap " + observed.name().topology() + ", and the topology that "
                + holders(observed, newest) + " by is not restored: ";
        Optional<String> contradiction = succession.contradiction(newest);
        if (contradiction.isPresent()) {
            return blocked(
                    new Obstacle(
                            true,
                            "TopologyDiffers",
                            gone + contradiction.get()
                                    + ". Ask for the same, or delete the volumes and pods of that cluster"),
                    availability);
        }
        Optional<String> strangeness = succession.strangeness(newest);
        if (strangeness.isPresent()) {
            return blocked(
                    new Obstacle(
                            false,
                            "TopologyDoubted",
                            gone + strangeness.get()
                                    + ". Look at these nodes, and put the right one into that ConfigMap, with an epoch above "
                                    + newest.epoch()),
                    availability);
        }
        Note note = Note.warning(
                "TopologyRestored", "The topology was gone; epoch " + newest.epoch() + " is restored from the nodes");
        return publishing(new Publication(newest, newest.isChanging(), note), availability);
    }

    private static Decision next(Observed observed, Topology topology) {
        Optional<String> contradiction = new Succession(observed).contradiction(topology);
        if (contradiction.isPresent()) {
            Obstacle differs = new Obstacle(
                    true,
                    "TopologyDiffers",
                    "the ConfigMap " + observed.name().topology()
                            + " holds the topology of an earlier cluster of this name: " + contradiction.get()
                            + ". Ask for the same, or delete its volumes and that ConfigMap");
            return blocked(differs, new Availability(observed, topology));
        }
        Topology newest = observed.newest();
        if (newest != null && newest.epoch() > topology.epoch()) {
            return succeeded(observed, topology, newest);
        }
        return settle(observed, topology);
    }

    private static Decision succeeded(Observed observed, Topology topology, Topology newest) {
        Availability availability = new Availability(observed, topology);
        Obstacle doubt = doubt(observed, topology, newest);
        if (doubt != null) {
            return blocked(doubt, availability);
        }
        Note note = Note.warning(
                "TopologyAdopted",
                "Nodes go by epoch " + newest.epoch() + ", which was published by somebody else: it is adopted");
        return publishing(new Publication(newest, newest.isChanging(), note), availability);
    }

    /** What keeps a newer topology from being adopted, and both ways out. */
    private static @Nullable Obstacle doubt(Observed observed, Topology published, Topology newest) {
        Succession succession = new Succession(observed);
        Optional<String> strangeness = succession.strangeness(newest);
        Optional<String> why = strangeness.or(() -> succession.loss(published, newest));
        if (why.isEmpty()) {
            return null;
        }
        String map = observed.name().topology();
        String ifRight = strangeness.isPresent()
                ? ""
                : " If it is right nevertheless, delete that ConfigMap: then it is restored from the nodes.";
        return new Obstacle(
                false,
                "TopologyDoubted",
                holders(observed, newest) + " by epoch " + newest.epoch() + ", which is newer than epoch "
                        + published.epoch() + " in the ConfigMap " + map + " and is not adopted: " + why.get() + "."
                        + ifRight + " If what is published is right, raise the epoch in that ConfigMap above "
                        + newest.epoch() + ": then all nodes get it, and go by it");
    }

    /** Who goes by it, and the verb. */
    private static String holders(Observed observed, Topology topology) {
        List<String> ids = observed.reports().values().stream()
                .filter(report -> report.epoch() == topology.epoch())
                .map(NodeReport::member)
                .sorted()
                .toList();
        return switch (ids.size()) {
            case 0 -> "some node goes"; // It has gone on to another meanwhile.
            case 1 -> ids.getFirst() + " goes";
            default -> String.join(", ", ids) + " go";
        };
    }

    private static Decision settle(Observed observed, Topology topology) {
        Availability availability = new Availability(observed, topology);
        Level level = new Level(observed, topology);
        Volumes volumes = new Volumes(observed, topology, level.membersBehind().isEmpty());
        RolloutStep rollout = new Rollout(observed, topology, availability).next();
        // Volumes and sets that are still to grow keep no member from joining.
        RolloutStep update =
                rollout.isDone() ? volumes.pending().map(RolloutStep::waiting).orElse(rollout) : rollout;
        MembershipStep membership = new MembershipDecision(observed, topology, availability, rollout).next();
        List<Action> actions = new ArrayList<>(level.pushes());
        actions.addAll(volumes.actions());
        actions.addAll(membership.actions());
        if (membership.publication() == null) {
            actions.addAll(rollout.actions());
        }
        if (rollout.actions().isEmpty()) {
            volumes.remake().ifPresent(actions::add);
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
                update,
                availability.serving(),
                availability.isComplete(),
                volumes.trouble().orElse(null),
                false);
    }

    private static Optional<Action> deleteSet(Observed observed, String zone, int size) {
        Observed.SetState set = observed.sets().get(zone);
        if (set == null
                || size > 0
                || set.replicas() > 0
                || !observed.podsIn(zone).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Action.DeleteSet(zone, set.version()));
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
        return new Decision(
                Map.of(), Set.of(), publication, List.of(), obstacle, null, null, serving, available, null, false);
    }

    /** Whether nothing goes on until a person does something, and no pod is being replaced meanwhile. Most of what they may do is seen at once. */
    public boolean isForAPerson() {
        boolean isAsked = membership != null
                && (membership.step() == ChangeStep.Refused || membership.step() == ChangeStep.AwaitingApproval);
        return (obstacle != null || isAsked) && actions.isEmpty() && (rollout == null || rollout.isDone());
    }

    /** The same, of which something could not be done, for this reason. */
    public Decision failing(String reason) {
        return new Decision(
                sets, remade, publication, actions, obstacle, membership, rollout, serving, available, reason, isHeld);
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
                trouble,
                isHeld);
    }

    /** The same, with nothing to be done. What sets are to be is kept: that they are not shows that something is held. */
    private Decision withoutDoing() {
        boolean isAnythingHeld = publication != null || !actions.isEmpty();
        return new Decision(
                sets,
                remade,
                null,
                List.of(),
                obstacle,
                membership,
                rollout,
                serving,
                available,
                trouble,
                isAnythingHeld);
    }

    /** The same, of which a pause keeps something from being done. */
    public Decision held() {
        return new Decision(
                sets, remade, publication, actions, obstacle, membership, rollout, serving, available, trouble, true);
    }
}
