package dev.kvorum.operator.decision;

import dev.kvorum.operator.decision.Observed.Published;
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
 *   <li>A ConfigMap of the topology's name that is somebody else's is not touched, and neither is anything else.
 *   <li>Without a published topology: the one that nodes go by, or the first one. Never the first one where volumes show that there was another.
 *   <li>A topology that the spec contradicts is left alone.
 *   <li>Nodes that go by a newer one are right, unless somebody would lose by it ({@link TopologyTrust}).
 *   <li>Volumes are marked; pods that are outdated are replaced ({@link Rollout}); members change ({@link MembershipDecision}). At most one topology is published
 *       or one pod replaced at a time.
 * </ol>
 *
 * @param obstacle why nothing can be done; null where something can
 * @param trouble what is wrong besides, in words; null for nothing
 */
public record Decision(
        Work work,
        Service service,
        @Nullable Obstacle obstacle,
        @Nullable MembershipStep membership,
        @Nullable RolloutStep rollout,
        @Nullable String trouble) {
    /**
     * What is to be done.
     *
     * @param sets how many pods each zone's StatefulSet has; empty where nothing is known of them
     * @param publication the topology to be published; null for none
     * @param actions what is to be done besides, in this order
     * @param isHeld whether the spec says paused, and something is to be done but for that
     */
    public record Work(
            Map<String, Integer> sets, @Nullable Publication publication, List<Action> actions, boolean isHeld) {
        /** Nothing to be done for sets, pods and volumes. */
        static Work of(@Nullable Publication publication) {
            return new Work(Map.of(), publication, List.of(), false);
        }

        /** The same, of which a pause keeps something from being done. */
        Work held() {
            return new Work(sets, publication, actions, true);
        }

        /** The same, with nothing to be done. What sets are to be is kept: that they are not shows that something is held. */
        Work paused() {
            return new Work(sets, null, List.of(), publication != null || !actions.isEmpty());
        }
    }

    /**
     * What clients get.
     *
     * @param serving ids of members that serve clients, with all of their data
     * @param available whether every partition has its quorum
     */
    public record Service(Set<String> serving, boolean available) {
        /** The service without members. */
        static final Service NONE = new Service(Set.of(), false);

        static Service of(Availability availability) {
            return new Service(availability.serving(), availability.isComplete());
        }
    }

    /** What these observations ask for. */
    public static Decision of(Observed observed) {
        if (observed.isMapTaken()) {
            return blocked(nameTaken(observed), Service.NONE);
        }
        Published published = observed.published();
        Decision decision = published == null
                ? new BaseTopology(observed).first()
                : new BaseTopology(observed)
                        .other(published.topology())
                        .orElseGet(() -> settle(observed, published.topology()));
        return observed.spec().paused() ? decision.with(decision.work.paused()) : decision;
    }

    private static Obstacle nameTaken(Observed observed) {
        String map = observed.name().topology();
        return new Obstacle(
                false,
                "NameTaken",
                "the ConfigMap " + map
                        + " is not this cluster's: it has neither its labels nor its owner, and is left alone."
                        + " Give the cluster another name, or rename that ConfigMap. If it is the topology of this cluster, from a backup perhaps, label it: "
                        + observed.commands().claimConfigMap(map));
    }

    /**
     * What is to be done when {@link #publication} is published, and not before: nodes are given it at once. It is no loss if somebody is not reached; the next decision
     * finds him behind.
     */
    public List<Action> announcements(Observed observed) {
        Publication publication = publication();
        return publication == null ? List.of() : new TopologyAdoption(observed, publication.topology()).pushes();
    }

    private static Decision settle(Observed observed, Topology topology) {
        Availability availability = new Availability(observed, topology);
        TopologyAdoption adoption = new TopologyAdoption(observed, topology);
        Volumes volumes =
                new Volumes(observed, topology, adoption.membersBehind().isEmpty());
        Rollout pods = new Rollout(observed, topology, availability);
        RolloutStep rollout = pods.next();
        // Volumes and sets that are still to grow keep no member from joining.
        RolloutStep update =
                rollout.isDone() ? volumes.pending().map(RolloutStep::waiting).orElse(rollout) : rollout;
        MembershipStep change = new MembershipDecision(observed, topology, availability, rollout).next();
        MembershipStep membership =
                topology.isChanging() ? pods.remedy().map(change::noting).orElse(change) : change;
        List<Action> actions = new ArrayList<>(adoption.pushes());
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
        observed.sets().forEach((zone, set) -> {
            if (set.misled()) {
                actions.add(new Action.TakeStatusBack(zone, set.version()));
            }
        });
        actions.addAll(volumes.ownership());
        return new Decision(
                new Work(sets, membership.publication(), List.copyOf(actions), false),
                Service.of(availability),
                null,
                membership,
                update,
                volumes.trouble().orElse(null));
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

    /** Without looking further: sets, pods and volumes are left alone. Nodes go on serving meanwhile. */
    static Decision publishing(Publication publication, Service service) {
        return new Decision(Work.of(publication), service, null, null, null, null);
    }

    /** Nothing is done at all. Nodes go on serving meanwhile. */
    static Decision blocked(Obstacle obstacle, Service service) {
        return new Decision(Work.of(null), service, obstacle, null, null, null);
    }

    /** How many pods each zone's StatefulSet has; empty where nothing is known of them. */
    public Map<String, Integer> sets() {
        return work.sets();
    }

    /** The topology to be published; null for none. */
    public @Nullable Publication publication() {
        return work.publication();
    }

    /** What is to be done besides, in this order. */
    public List<Action> actions() {
        return work.actions();
    }

    /** Whether the spec says paused, and something is to be done but for that. */
    public boolean isHeld() {
        return work.isHeld();
    }

    /** Ids of members that serve clients, with all of their data. */
    public Set<String> serving() {
        return service.serving();
    }

    /** Whether every partition has its quorum. */
    public boolean available() {
        return service.available();
    }

    /** Whether nothing goes on until a person does something, and no pod is being replaced meanwhile. Most of what they may do is seen at once. */
    public boolean isForAPerson() {
        boolean isAsked = membership != null
                && (membership.step() == ChangePhase.Refused || membership.step() == ChangePhase.AwaitingApproval);
        return (obstacle != null || isAsked) && actions().isEmpty() && (rollout == null || rollout.isDone());
    }

    /** The same, of which something could not be done, for this reason. */
    public Decision failing(String reason) {
        return new Decision(work, service, obstacle, membership, rollout, reason);
    }

    /** The same, when a StatefulSet has just been changed: which pods are outdated shows only when Kubernetes has taken that over. */
    public Decision awaitingSets() {
        RolloutStep unseen = RolloutStep.waiting(Rollout.NOT_SEEN);
        return new Decision(work, service, obstacle, membership, unseen, trouble);
    }

    /** The same, of which a pause keeps something from being done. */
    public Decision held() {
        return with(work.held());
    }

    private Decision with(Work other) {
        return new Decision(other, service, obstacle, membership, rollout, trouble);
    }
}
