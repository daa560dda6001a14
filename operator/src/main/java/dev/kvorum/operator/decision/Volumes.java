package dev.kvorum.operator.decision;

import dev.kvorum.operator.api.Retention;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.operator.decision.Observed.VolumeOwner;
import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.topology.Topology;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Marks, expands and deletes volumes, and says with what they go. The marks say whose a volume is, so that no other node ever gets it:
 *
 * <pre>
 * neither mark       its node has never been a member; it may become one
 * joined             its node is a member, or is about to become one. If that was taken back, the mark goes when its pod has ({@link JoinMarks})
 * joined, removed    its node was one. With retention Delete it goes when its pod has; with Retain it stays, and is in the way of a new node
 * </pre>
 */
final class Volumes {
    private final Observed observed;
    private final Topology topology;
    private final boolean adopted;
    private final JoinMarks joinMarks;
    private final Set<String> remade;

    /** @param adopted whether all go by this topology: only then is a member that it does not name no owner for anybody */
    Volumes(Observed observed, Topology topology, boolean adopted) {
        this.observed = observed;
        this.topology = topology;
        this.adopted = adopted;
        this.joinMarks = new JoinMarks(observed, topology);
        this.remade = zonesToRemake();
    }

    List<Action> actions() {
        List<Action> actions = new ArrayList<>();
        new TreeMap<>(observed.volumes()).forEach((member, volume) -> {
            if (volume.bound()) {
                (topology.member(member).isPresent() ? ofMember(member, volume) : ofOther(member, volume))
                        .ifPresent(actions::add);
            }
        });
        return actions;
    }

    private Optional<Action> ofMember(String member, VolumeState volume) {
        if (volume.terminating() || volume.unreadable() != null) {
            return Optional
                    .empty(); // Somebody deletes it, and its pod is replaced for that; or has to correct its marks.
        }
        if (volume.joined() == null) {
            return Optional.of(new Action.MarkJoined(member, topology.epoch(), volume.version()));
        }
        String asked = observed.spec().storage().size();
        return isPending(volume) && isAskable(volume, asked)
                ? Optional.of(new Action.ResizeVolume(member, asked))
                : Optional.empty();
    }

    /** Whether a claim may ask for that: more than before, or less where it has not got even that. */
    private static boolean isAskable(VolumeState volume, String asked) {
        return isSmaller(volume.size(), asked) || (isSmaller(asked, volume.size()) && volume.capacity() != null);
    }

    /** Whether it is to become larger, and has not. One that is large enough already is asked for nothing: its class may not be able to expand. */
    private boolean isPending(VolumeState volume) {
        String has = volume.capacity() == null ? volume.size() : volume.capacity();
        return isSmaller(has, observed.spec().storage().size());
    }

    private Optional<Action> ofOther(String member, VolumeState volume) {
        Long joined = volume.joined();
        if (joined == null || joined > topology.epoch() || !adopted || volume.unreadable() != null) {
            return Optional.empty();
        }
        if (volume.removed() == null) {
            return joinMarks.isMissed(volume) ? ofMissed(member, volume) : Optional.of(removal(member, volume));
        }
        boolean goes = observed.spec().storage().retention() == Retention.Delete
                && !volume.terminating()
                && !observed.pods().containsKey(member);
        return goes ? Optional.of(new Action.DeleteVolume(member, volume.uid())) : Optional.empty();
    }

    private Optional<Action> ofMissed(String member, VolumeState volume) {
        return joinMarks.hasGone(member)
                ? Optional.of(new Action.TakeMarkBack(member, volume.version()))
                : Optional.empty();
    }

    private Action removal(String member, VolumeState volume) {
        return new Action.MarkRemoved(member, topology.epoch(), volume.version());
    }

    /** Lets claims go with the cluster or outlive it, as {@code storage.retention} says. To be done after the marks, which name the version of a claim. */
    List<Action> ownership() {
        return observed.volumes().entrySet().stream()
                .filter(volume -> isOwnedOtherwise(volume.getValue()))
                .sorted(Map.Entry.comparingByKey())
                .<Action>map(volume ->
                        new Action.OwnVolume(volume.getKey(), volume.getValue().uid()))
                .toList();
    }

    private boolean isOwnedOtherwise(VolumeState volume) {
        VolumeOwner asked =
                observed.spec().storage().retention() == Retention.Delete ? VolumeOwner.CLUSTER : VolumeOwner.NOBODY;
        return volume.bound() // Before that the scheduler writes to the claim, and would be refused.
                && volume.owner() != asked
                && volume.owner() != VolumeOwner.FORMER_CLUSTER
                && !volume.terminating();
    }

    /** Zones whose StatefulSet gives new volumes too small a size, which can't be changed there. Only when all present ones have the one that is asked for. */
    private Set<String> zonesToRemake() {
        String asked = observed.spec().storage().size();
        boolean expanded = observed.volumes().entrySet().stream()
                .filter(volume -> topology.member(volume.getKey()).isPresent())
                .noneMatch(volume -> isPending(volume.getValue()));
        return observed.sets().entrySet().stream()
                .filter(set -> expanded
                        && set.getValue().replicas() > 0
                        && isSmaller(set.getValue().volumeSize(), asked))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Deletes the next StatefulSet that is to be made anew, if that may be now. Until then there is nobody who makes its pods: none of them may be replaced meanwhile. */
    Optional<Action> remake() {
        if (!observed.zonesWithoutSet(topology).isEmpty()) {
            return Optional.empty();
        }
        return remade.stream()
                .sorted()
                .filter(this::canBeSpared)
                .findFirst()
                .map(zone -> new Action.RemakeSet(
                        zone,
                        Objects.requireNonNull(observed.sets().get(zone)).version(),
                        "new volumes are to have " + observed.spec().storage().size()));
    }

    /**
     * Whether a StatefulSet may be deleted without its pods and volumes. Kubernetes lets go of what belongs to a set by what it has seen of it: a volume that has just
     * become the set's own, or a pod that has just been made, could be deleted after it.
     */
    private boolean canBeSpared(String zone) {
        SetState set = Objects.requireNonNull(observed.sets().get(zone));
        return set.seen()
                && set.keepsVolumes()
                && observed.podsIn(zone).size() == set.replicas()
                && observed.podsIn(zone).stream().allMatch(Observed.PodState::isUp);
    }

    /** What is still to be as large as asked, or to get another owner, in words; empty where nothing. */
    Optional<String> pending() {
        return sizePending().or(this::ownerPending);
    }

    private Optional<String> ownerPending() {
        String claims = observed.volumes().entrySet().stream()
                .filter(volume -> isOwnedOtherwise(volume.getValue()))
                .map(volume -> observed.name().volume(volume.getKey()))
                .sorted()
                .collect(Collectors.joining(", "));
        return claims.isEmpty()
                ? Optional.empty()
                : Optional.of("the volume claims " + claims + " get the owner that spec.storage.retention asks for");
    }

    private Optional<String> sizePending() {
        String size = observed.spec().storage().size();
        List<String> growing = observed.volumes().entrySet().stream()
                .filter(volume -> topology.member(volume.getKey()).isPresent() && isPending(volume.getValue()))
                .map(volume -> volume.getKey())
                .sorted()
                .toList();
        if (!growing.isEmpty()) {
            return Optional.of("waiting for the volumes of " + String.join(", ", growing) + " to have " + size);
        }
        return remade.isEmpty()
                ? Optional.empty()
                : Optional.of("a StatefulSet is made anew, so that new volumes get " + size
                        + ", when all of its pods are ready and no volume belongs to it");
    }

    private static boolean isSmaller(String size, String other) {
        return Quantity.getAmountInBytes(new Quantity(size)).compareTo(Quantity.getAmountInBytes(new Quantity(other)))
                < 0;
    }

    /** What is wrong with a volume, in words; empty where nothing. */
    Optional<String> trouble() {
        return unreadable().or(this::notExpanded);
    }

    /** A claim of which nobody can tell whose it is. It is left alone until somebody corrects it. */
    private Optional<String> unreadable() {
        return new TreeMap<>(observed.volumes())
                .values().stream()
                        .map(VolumeState::unreadable)
                        .flatMap(Stream::ofNullable)
                        .findFirst();
    }

    private Optional<String> notExpanded() {
        return observed.volumes().entrySet().stream()
                .filter(volume -> topology.member(volume.getKey()).isPresent())
                .filter(volume -> volume.getValue().trouble() != null && isPending(volume.getValue()))
                .findFirst()
                .map(volume -> "the volume of " + volume.getKey() + ": "
                        + volume.getValue().trouble());
    }

    private boolean isOfMember(VolumeState volume) {
        return volume.joined() != null && volume.removed() == null && !joinMarks.isMissed(volume);
    }

    /** Whether the set of a zone may lose the pods from this ordinal on: none of them is a member for anybody or can become one, and their volumes say so. */
    boolean mayShrink(String zone, SetState set, int from) {
        if (!adopted) {
            return false;
        }
        for (int ordinal = from; ordinal < set.replicas(); ordinal++) {
            VolumeState volume = observed.volumes().get(observed.name().set(zone) + "-" + ordinal);
            if (volume != null && (volume.unreadable() != null || isOfMember(volume))) {
                return false;
            }
        }
        return true;
    }
}
