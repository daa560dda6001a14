package dev.kvorum.operator.decision;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All that decisions are made from, at one instant: the desired state, the objects in Kubernetes and the answers of the nodes. */
public record Observed(Desired desired, Resources resources, Answers answers) {
    /**
     * The desired state: the spec, and what people write in annotations of the resource.
     *
     * @param approval the plan that may begin; null where none is named
     * @param gone ids of members of which a person says that they will never come back; not all of them need be members
     * @param acceptedLoss the epoch of which a person accepts that all copies of some partitions are lost; null where none is named
     */
    public record Desired(
            ClusterName name,
            KvorumClusterSpec spec,
            @Nullable String approval,
            Set<String> gone,
            @Nullable String acceptedLoss) {}

    /**
     * The objects of the cluster in Kubernetes.
     *
     * @param published the topology that is published; null where there is none
     * @param isMapTaken whether a ConfigMap that is not this cluster's has the name that the topology's would get
     * @param sets the StatefulSets, by zone
     * @param pods by the id of the member
     * @param uncreated why Kubernetes can't make a pod, in words, by the id of the member; only of pods that there are none of
     * @param volumes by the id of the member
     * @param strangers ids of future members whose volume claims are not this cluster's: a StatefulSet finds a claim by its name alone
     */
    public record Resources(
            @Nullable Published published,
            boolean isMapTaken,
            Map<String, SetState> sets,
            Map<String, PodState> pods,
            Map<String, String> uncreated,
            Map<String, VolumeState> volumes,
            Set<String> strangers) {}

    /**
     * The answers of the nodes.
     *
     * @param reports by the id of the member; none of a node that did not answer
     * @param newest the topology of a node that goes by a newer one than is published, or by one while none is published; else null
     * @param sizes what nodes hold, by the id of the member; asked for only when a change is to be planned
     */
    public record Answers(
            Map<String, MemberReport> reports, @Nullable Topology newest, Map<String, PartitionSizes> sizes) {
        /** The answers before any node was asked. */
        public static Answers none() {
            return new Answers(Map.of(), null, Map.of());
        }
    }

    /**
     * A topology with what has to be known of how it came to be.
     *
     * @param switched whether reads have asked the next owners since the running change began
     */
    public record Published(Topology topology, boolean switched) {}

    /**
     * A StatefulSet.
     *
     * @param seen whether its controller has seen its present spec: only then does {@code revision} belong to that
     * @param misled whether its status is about a later spec than it has: about one of the set in whose place it was made
     * @param revision the one that new pods get
     * @param volumeSize that new volumes get
     * @param keepsVolumes whether its volumes stay if it is deleted: it says so, and none of them belongs to it
     * @param version the resource version: it is changed only while it is still this one
     */
    public record SetState(
            int replicas,
            boolean seen,
            boolean misled,
            String revision,
            String volumeSize,
            boolean keepsVolumes,
            String version) {}

    /**
     * A pod.
     *
     * @param started whether any of its containers may ever have been: not while it has no machine, or its kubelet tells that all wait for their first start
     * @param ended whether all of its processes have been ended for good
     * @param trouble why it does not run or serve, or does not end, in words; null where nothing is known to be wrong
     */
    public record PodState(
            String uid,
            String revision,
            boolean ready,
            boolean terminating,
            boolean started,
            boolean ended,
            @Nullable String trouble) {
        /** Whether it is ready, and stays. */
        boolean isUp() {
            return ready && !terminating;
        }
    }

    /**
     * A volume claim.
     *
     * @param version the resource version: it is marked only while it is still this one
     * @param bound whether it has its volume: before, it is its scheduler's, which would be disturbed by any change of it
     * @param owner the object with which Kubernetes deletes it
     */
    public record VolumeState(
            String uid,
            String version,
            boolean terminating,
            boolean bound,
            Marks marks,
            Expansion expansion,
            VolumeOwner owner) {
        /**
         * The operator's marks on a claim: they say whose its data is.
         *
         * @param joined the epoch in which its node became a member, or is about to; null if it never did
         * @param removed the epoch in which its node had ceased to be one; null if it has not
         * @param unreadable which of them is no number, and the way out, in words; null where all are
         */
        public record Marks(
                @Nullable Long joined,
                @Nullable Long removed,
                @Nullable String unreadable) {
            /** Those of a claim whose node was never a member. */
            public static final Marks NONE = new Marks(null, null);

            /** Marks that can be read. */
            public Marks(@Nullable Long joined, @Nullable Long removed) {
                this(joined, removed, null);
            }
        }

        /**
         * How large a volume is to be, and is.
         *
         * @param size that is asked for
         * @param capacity that it has; null where it has none yet
         * @param trouble why it can't be expanded, in words; null where nothing is known to be wrong
         */
        public record Expansion(
                String size,
                @Nullable String capacity,
                @Nullable String trouble) {}

        /** The epoch in which its node became a member, or is about to; null if it never did. */
        public @Nullable Long joined() {
            return marks.joined();
        }

        /** The epoch in which its node had ceased to be a member; null if it has not. */
        public @Nullable Long removed() {
            return marks.removed();
        }

        /** Which of the marks is no number, and the way out, in words; null where all can be read. */
        public @Nullable String unreadable() {
            return marks.unreadable();
        }

        /** The size that is asked for. */
        public String size() {
            return expansion.size();
        }

        /** The size that it has; null where it has none yet. */
        public @Nullable String capacity() {
            return expansion.capacity();
        }

        /** Why it can't be expanded, in words; null where nothing is known to be wrong. */
        public @Nullable String trouble() {
            return expansion.trouble();
        }

        /** Whether it holds, or may hold, what a member was given: then only that member may use it. */
        boolean isUsed() {
            return joined() != null || removed() != null || unreadable() != null;
        }

        /** Whether its node was to become a member in this epoch. */
        boolean isMarkedFor(long epoch) {
            Long joined = joined();
            return joined != null && joined == epoch && removed() == null;
        }
    }

    /** The object with which Kubernetes deletes a volume claim. */
    public enum VolumeOwner {
        /** It stays, whatever is deleted. */
        NOBODY,
        /** It goes with the cluster. */
        CLUSTER,
        /** It goes with its StatefulSet, as earlier operators had it. */
        SET,
        /** It goes with an earlier cluster of this name, which is deleted already: Kubernetes is about to delete it. */
        FORMER_CLUSTER
    }

    /** The same, with what nodes have answered. */
    public Observed with(Answers other) {
        return new Observed(desired, resources, other);
    }

    public ClusterName name() {
        return desired.name();
    }

    /** Those that messages about it name. */
    Commands commands() {
        return new Commands(name());
    }

    public KvorumClusterSpec spec() {
        return desired.spec();
    }

    /** The plan that may begin; null where none is named. */
    public @Nullable String approval() {
        return desired.approval();
    }

    /** Ids of members of which a person says that they will never come back. */
    public Set<String> gone() {
        return desired.gone();
    }

    /** Whether a ConfigMap that is not this cluster's has the name that the topology's would get. */
    boolean isMapTaken() {
        return resources.isMapTaken();
    }

    /** Whether a person accepts what the members of that epoch have lost. */
    boolean isLossAccepted(long epoch) {
        return Long.toString(epoch).equals(desired.acceptedLoss());
    }

    /** The topology that is published; null where there is none. */
    public @Nullable Published published() {
        return resources.published();
    }

    /** The StatefulSets, by zone. */
    public Map<String, SetState> sets() {
        return resources.sets();
    }

    /** By the id of the member. */
    public Map<String, PodState> pods() {
        return resources.pods();
    }

    /** Why Kubernetes can't make a pod, in words, by the id of the member. */
    public Map<String, String> uncreated() {
        return resources.uncreated();
    }

    /** By the id of the member. */
    public Map<String, VolumeState> volumes() {
        return resources.volumes();
    }

    /** By the id of the member; none of a node that did not answer. */
    public Map<String, MemberReport> reports() {
        return answers.reports();
    }

    /** The topology of a node that goes by a newer one than is published; null where there is none. */
    public @Nullable Topology newest() {
        return answers.newest();
    }

    /** What nodes hold, by the id of the member; asked for only when a change is to be planned. */
    public Map<String, PartitionSizes> sizes() {
        return answers.sizes();
    }

    /** All zones that are known of. Not those of the sets alone: one that is made anew is away for a moment. */
    public Set<String> zones() {
        Set<String> zones = new HashSet<>(sets().keySet());
        zones.addAll(spec().zones());
        Published published = published();
        if (published != null) {
            published.topology().members().forEach(member -> zones.add(member.zone()));
        }
        return zones;
    }

    /** Zones of members whose StatefulSet is not there, or is being deleted: nobody makes the next pod of those. */
    Set<String> zonesWithoutSet(Topology topology) {
        return topology.members().stream()
                .map(Member::zone)
                .filter(zone -> !sets().containsKey(zone))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The present pods of a zone. */
    List<PodState> podsIn(String zone) {
        return pods().entrySet().stream()
                .filter(pod -> name().zoneOf(pod.getKey(), List.of(zone)).isPresent())
                .map(Map.Entry::getValue)
                .toList();
    }

    Optional<MemberReport> report(Member member) {
        return Optional.ofNullable(reports().get(member.id()));
    }

    Optional<PodState> pod(Member member) {
        return Optional.ofNullable(pods().get(member.id()));
    }

    /** What keeps a pod from being there and from serving, in words; empty where nothing is known to be wrong. */
    Optional<String> trouble(String member) {
        PodState pod = pods().get(member);
        return Optional.ofNullable(pod == null ? uncreated().get(member) : pod.trouble());
    }

    /** Why these can't become members, in words; empty where no volume of somebody else's is in the way. */
    Optional<String> strangersAmong(Collection<Member> members) {
        List<String> claims = members.stream()
                .map(Member::id)
                .filter(resources.strangers()::contains)
                .toList();
        return claims.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "volume claims that are not this cluster's have the names that its new nodes would get, and are left alone: "
                                + "when nothing in them is missed, "
                                + commands().deleteVolumes(claims));
    }

    Optional<VolumeState> volume(Member member) {
        return Optional.ofNullable(volumes().get(member.id()));
    }

    /**
     * Whether a process of it may be running: only a pod that is gone, or whose containers are known never to have been started or to have ended, is known not to. Who
     * answers is running, though Kubernetes may not know it yet.
     */
    boolean isAlive(String member) {
        PodState pod = pods().get(member);
        return reports().containsKey(member) || (pod != null && pod.started() && !pod.ended());
    }

    /** Whether somebody is ready and lacks some of its data: what it lacks must not be missing elsewhere as well. */
    public boolean isRebuilding() {
        return reports().values().stream().anyMatch(report -> report.rebuilding() > 0);
    }

    /** Whether it serves, by this epoch or a later one, and may be counted on: ready, with all of its data, and by the published contents. */
    boolean isHealthy(Member member, long epoch) {
        return pod(member).map(PodState::isUp).orElse(false)
                && report(member)
                        .map(report ->
                                report.epoch() >= epoch && report.rebuilding() == 0 && !contradictsPublished(report))
                        .orElse(false);
    }

    /** The others refuse its calls. */
    private boolean contradictsPublished(MemberReport report) {
        return published() != null && report.contradicts(published().topology());
    }
}
