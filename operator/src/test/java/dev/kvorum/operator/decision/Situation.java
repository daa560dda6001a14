package dev.kvorum.operator.decision;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.Retention;
import dev.kvorum.operator.api.Specs;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.Published;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.operator.decision.Observed.VolumeOwner;
import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.operator.decision.Observed.VolumeState.Expansion;
import dev.kvorum.operator.decision.Observed.VolumeState.Marks;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as the operator would find it, to be changed and decided about: a model of Kubernetes and of the nodes that does at once, and perfectly, what decisions
 * ask for. Tests break what they are about.
 */
final class Situation {
    static final String REVISION = "r1";

    private final ClusterName name;
    private KvorumClusterSpec spec;
    private String specYaml;
    private @Nullable Published published;
    private @Nullable String approval;
    private @Nullable Topology newest;
    private Set<String> gone = Set.of();
    private @Nullable String acceptedLoss;
    private boolean isMapTaken;
    private String revision = REVISION; // That new pods get.
    private int incarnations;
    private int started;
    private int versions; // Of everything that has one.
    private int publishedVersion;
    private boolean lingering;
    private boolean stingy;
    final Map<String, SetState> sets = new TreeMap<>();
    final Map<String, PodState> pods = new TreeMap<>();
    final Map<String, String> uncreated = new TreeMap<>();
    final Map<String, VolumeState> volumes = new TreeMap<>();
    final Set<String> strangers = new HashSet<>();
    final Map<String, MemberReport> reports = new TreeMap<>();
    private final Set<String> silent = new HashSet<>();
    private final Set<String> ofOnePartition = new HashSet<>();
    private final Set<String> unheard = new HashSet<>();
    private final Set<String> lost = new HashSet<>();
    private final Map<String, List<String>> goneTold = new HashMap<>(); // By whom.
    final List<String> performed = new ArrayList<>();

    private Situation(String yaml) {
        this.specYaml = yaml;
        this.spec = Specs.spec(yaml);
        this.name = new ClusterName("shop", "demo", !spec.zones().isEmpty());
    }

    /** Nothing is there but the resource. */
    static Situation empty(String yaml) {
        return new Situation(yaml);
    }

    /** A cluster that is as its spec asks. */
    static Situation running(String yaml) {
        Situation situation = new Situation(yaml);
        situation.settle();
        situation.performed.clear();
        return situation;
    }

    Situation spec(String yaml) {
        specYaml = yaml;
        spec = Specs.spec(yaml);
        return this;
    }

    /** The same spec, with this line of YAML besides. */
    Situation asking(String line) {
        return spec(specYaml + "\n" + line);
    }

    Situation approved(String plan) {
        approval = plan;
        return this;
    }

    /** From now on a pod that is replaced takes its time to end ({@link #end}). */
    Situation lingering() {
        lingering = true;
        return this;
    }

    /** It answers, and can't say what it holds. */
    Situation silentAboutSizes(String id) {
        silent.add(id);
        return this;
    }

    /** It says what it holds of one partition only. */
    Situation sizesOfOnePartition(String id) {
        ofOnePartition.add(id);
        return this;
    }

    /** From now on no volume becomes larger. */
    Situation stingy() {
        stingy = true;
        return this;
    }

    /** A person goes on without what the members of that epoch have lost. */
    Situation acceptingLoss(long epoch) {
        acceptedLoss = Long.toString(epoch);
        return this;
    }

    /** Somebody has made a ConfigMap of the topology's name. */
    Situation withForeignMap() {
        isMapTaken = true;
        return this;
    }

    /** What the annotation says. */
    Situation gone(String... ids) {
        gone = Set.of(ids);
        return this;
    }

    Situation unpublished() {
        published = null;
        return this;
    }

    Situation newest(Topology topology) {
        newest = topology;
        return this;
    }

    Topology topology() {
        if (published == null) {
            throw new IllegalStateException("nothing is published");
        }
        return published.topology();
    }

    void publish(Topology topology, boolean switched) {
        if (!topology.isChanging()) {
            goneTold.clear();
        }
        published = new Published(topology, switched);
        publishedVersion = ++versions;
    }

    Observed observed() {
        Map<String, PartitionSizes> sizes = new HashMap<>();
        reports.forEach((id, report) ->
                sizes.put(id, sizes(spec.partitions(), report.disk().used() / spec.partitions())));
        sizes.keySet().removeAll(silent);
        sizes.replaceAll((id, all) -> ofOnePartition.contains(id) ? sizes(1, 10) : all);
        return new Observed(
                new Observed.Desired(name, spec, approval, gone, acceptedLoss),
                new Observed.Resources(
                        published,
                        isMapTaken,
                        Map.copyOf(sets),
                        Map.copyOf(pods),
                        Map.copyOf(uncreated),
                        Map.copyOf(volumes),
                        Set.copyOf(strangers)),
                new Observed.Answers(transferring(), newest, sizes));
    }

    private static PartitionSizes sizes(int partitions, long each) {
        long[] bytes = new long[partitions];
        Arrays.fill(bytes, each);
        return new PartitionSizes(bytes, bytes);
    }

    /** What nodes say: nobody has all that it gains while one that may hold some of it is down, unless it was told that this one is gone. */
    private Map<String, MemberReport> transferring() {
        Map<String, MemberReport> told = new HashMap<>(reports);
        told.keySet().removeAll(unheard);
        if (published != null && topology().isChanging()) {
            told.replaceAll((id, report) -> topology().currentOwners().stream()
                            .map(Member::id)
                            .allMatch(source -> reports.containsKey(source)
                                    || goneTold.getOrDefault(id, List.of()).contains(source))
                    ? report
                    : Reports.waiting(report, goneTold.getOrDefault(id, List.of())));
        }
        return Map.copyOf(told);
    }

    Decision decide() {
        return Decision.of(observed());
    }

    void pod(String id, UnaryOperator<PodState> change) {
        pods.compute(id, (key, pod) -> change.apply(pod));
    }

    void report(String id, UnaryOperator<MemberReport> change) {
        reports.compute(id, (key, report) -> change.apply(report));
    }

    /** Not ready, and cannot be asked; its process may still run. */
    void cutOff(String id) {
        pod(id, pod -> new PodState(pod.uid(), pod.revision(), false, false, true, false, null));
        reports.remove(id);
    }

    /** Its pod is ready and serves, and the operator can't ask it, until it is replaced. */
    void unheard(String id) {
        unheard.add(id);
    }

    /** Its machine is lost, and Kubernetes knows that; the pod in its place can't run where its volume is not. */
    void lose(String id) {
        lost.add(id);
        restart(id);
    }

    /** The machine is back, with its volume. */
    void bringBack(String id) {
        lost.remove(id);
        restart(id);
    }

    /** As a person would who deletes its claim and its pod: it begins on an empty volume, on another machine. */
    void rebuildElsewhere(String id) {
        lost.remove(id);
        volumes.remove(id);
        incarnations++;
        restart(id);
    }

    private void restart(String id) {
        pods.remove(id);
        reports.remove(id);
        startAgain(id);
    }

    /** Decides and does, until nothing is left to do. */
    Decision settle() {
        for (int round = 0; round < 100; round++) {
            boolean idle = isIdle(decide());
            Decision decision = step();
            if (idle) {
                return decision;
            }
        }
        throw new AssertionError("it does not come to an end: " + performed);
    }

    private boolean isIdle(Decision decision) {
        return decision.publication() == null
                && decision.actions().isEmpty()
                && sets.values().stream().allMatch(SetState::keepsVolumes)
                && decision.sets().entrySet().stream()
                        .allMatch(set -> sets.containsKey(set.getKey())
                                && sets.get(set.getKey()).replicas() == set.getValue());
    }

    /** Decides once, and does that. */
    Decision step() {
        Decision decision = decide();
        if (decision.publication() != null) {
            publish(decision.publication().topology(), decision.publication().switched());
            performed.add("publish " + inWords(decision.publication().topology()));
        }
        if (!spec.paused()) {
            decision.sets().forEach(this::resize);
            decision.sets().keySet().forEach(this::release);
        }
        decision.actions().forEach(this::carryOut);
        return decision;
    }

    /** Steps until that is so; fails if a hundred steps do not get there. */
    void stepUntil(BooleanSupplier reached) {
        for (int round = 0; round <= 100; round++) {
            if (reached.getAsBoolean()) {
                return;
            }
            step();
        }
        throw new AssertionError("it does not get there: " + performed);
    }

    /** All nodes have heard of the published topology. */
    void level() {
        reports.replaceAll((id, report) -> Reports.at(report, topology().epoch()));
    }

    /** For what has no end: a hundred steps, of which this was the last decision. */
    Decision stepOften() {
        for (int round = 1; round < 100; round++) {
            step();
        }
        return step();
    }

    /** Decides once, and does some of that, in any order, before it is ended. */
    void stepInPart(SplittableRandom random) {
        Decision decision = decide();
        if (decision.publication() != null && random.nextBoolean()) {
            publish(decision.publication().topology(), decision.publication().switched());
            performed.add("publish " + inWords(decision.publication().topology()));
        }
        if (random.nextBoolean()) {
            decision.sets().forEach(this::resize);
            decision.sets().keySet().forEach(this::release);
        }
        List<Action> actions = new ArrayList<>(decision.actions());
        Collections.shuffle(actions, new Random(random.nextLong()));
        actions.stream().filter(action -> random.nextBoolean()).forEach(this::carryOut);
    }

    /**
     * Decides now, as an operator would that does it much later: of that only what is still about the same versions comes to anything, as in Kubernetes.
     *
     * @return does it
     */
    Runnable stepLate() {
        Decision decision = decide();
        Map<String, SetState> looked = Map.copyOf(sets);
        int map = publishedVersion;
        return () -> {
            if (decision.publication() != null) {
                if (map != publishedVersion) {
                    return; // It fails, and nothing else is done.
                }
                publish(
                        decision.publication().topology(),
                        decision.publication().switched());
                performed.add("publish " + inWords(decision.publication().topology()) + ", late");
            }
            decision.sets().forEach((zone, size) -> {
                if (Objects.equals(looked.get(zone), sets.get(zone))) {
                    resize(zone, size);
                    release(zone);
                }
            });
            decision.actions().forEach(this::carryOut);
        };
    }

    /** Whoever was cut off or lost serves again, and can be asked. */
    void recover() {
        lost.clear();
        pods.replaceAll((id, pod) -> new PodState(pod.uid(), pod.revision(), true, false, true, false, null));
        pods.keySet()
                .forEach(id ->
                        reports.computeIfAbsent(id, key -> report(id, topology().epoch())));
    }

    /** Ids with + and - for those that join and leave, and whom reads ask. */
    static String inWords(Topology topology) {
        StringBuilder words = new StringBuilder();
        for (Member member : topology.members()) {
            String mark = switch (member.state()) {
                case JOINING -> "+";
                case LEAVING -> "-";
                case ACTIVE -> "";
            };
            words.append(mark).append(member.id().substring("demo-".length())).append(' ');
        }
        return words + topology.reads().name();
    }

    private void resize(String zone, int replicas) {
        SetState set = sets.get(zone);
        String size = set == null ? spec.storage().size() : set.volumeSize();
        boolean keeps = set == null || set.keepsVolumes();
        if (set == null || set.replicas() != replicas) {
            sets.put(
                    zone,
                    new SetState(
                            replicas, true, false, set == null ? revision : set.revision(), size, keeps, version()));
        }
        for (int ordinal = 0; ordinal < replicas; ordinal++) {
            start(name.member(new Seat(zone, ordinal)), sets.get(zone).revision());
        }
        pods.keySet().removeIf(id -> id.startsWith(name.set(zone) + "-") && ClusterName.ordinal(id) >= replicas);
        reports.keySet().removeIf(id -> !pods.containsKey(id));
    }

    /** As an earlier operator left them: their StatefulSets own all volumes. */
    Situation ownedBySets() {
        sets.replaceAll((zone, set) -> keeping(set, false));
        volumes.replaceAll((id, volume) -> owned(volume, VolumeOwner.SET));
        return this;
    }

    void own(String id, VolumeOwner owner) {
        volumes.computeIfPresent(id, (same, volume) -> owned(volume, owner));
    }

    /** All have it by now, whoever asked for it. */
    void resizeVolumes(String size) {
        volumes.replaceAll((id, volume) -> expanded(volume, size));
    }

    /** The set does not own its volumes any more. */
    private void release(String zone) {
        sets.computeIfPresent(zone, (same, set) -> set.keepsVolumes() ? set : keeping(set, true));
    }

    private SetState keeping(SetState set, boolean keeps) {
        return new SetState(
                set.replicas(), set.seen(), set.misled(), set.revision(), set.volumeSize(), keeps, version());
    }

    private VolumeState owned(VolumeState volume, VolumeOwner owner) {
        return new VolumeState(
                volume.uid(),
                version(),
                volume.terminating(),
                volume.bound(),
                volume.marks(),
                volume.expansion(),
                owner);
    }

    private void start(String id, String revision) {
        volumes.computeIfAbsent(
                id,
                key -> new VolumeState(
                        "v-" + id + incarnations,
                        version(),
                        false,
                        true,
                        Marks.NONE,
                        new Expansion(spec.storage().size(), spec.storage().size(), null),
                        VolumeOwner.NOBODY));
        boolean runs = !lost.contains(id);
        pods.computeIfAbsent(
                id,
                key -> new PodState(
                        "p-" + id + "-" + ++started,
                        revision,
                        runs,
                        false,
                        runs,
                        false,
                        runs ? null : "Unschedulable, its volume is on another machine"));
        if (runs) {
            reports.computeIfAbsent(
                    id,
                    key -> report(
                            id, published == null ? 1 : published.topology().epoch()));
        }
    }

    MemberReport report(String id, long epoch) {
        return new MemberReport(
                new MemberReport.Identity(
                        id,
                        name.identity(),
                        spec.partitions(),
                        UUID.nameUUIDFromBytes(volume(id).uid().getBytes(StandardCharsets.UTF_8))),
                new MemberReport.Standing(epoch, "", true, 0),
                new MemberReport.Transfer(Set.of(), 10, 10, 0, 0, 0, 1 << 20, ""),
                new MemberReport.Former(0, 0, ""),
                new MemberReport.Disk(1L << 34, 40960),
                new MemberReport.Past(0, 1));
    }

    private void carryOut(Action action) {
        switch (action) {
            case Action.Push push -> // Who has gone meanwhile is not reached.
                reports.computeIfPresent(
                        push.member().id(),
                        (id, report) -> Reports.at(
                                report, Math.max(report.epoch(), push.topology().epoch())));
            case Action.Settle settle -> {
                performed.add("settle " + settle.member().id() + " without " + settle.gone());
                goneTold.put(settle.member().id(), settle.gone());
            }
            case Action.MarkJoined mark ->
                mark(mark.member(), mark.version(), volume -> marked(volume, mark.epoch(), volume.removed()));
            case Action.TakeMarkBack mark ->
                mark(mark.member(), mark.version(), volume -> marked(volume, null, volume.removed()));
            case Action.MarkRemoved mark ->
                mark(mark.member(), mark.version(), volume -> marked(volume, volume.joined(), mark.epoch()));
            case Action.ReplacePod pod -> {
                if (pods.containsKey(pod.member())
                        && pods.get(pod.member()).uid().equals(pod.uid())) {
                    replace(pod.member());
                }
            }
            case Action.OwnVolume volume ->
                volumes.computeIfPresent(
                        volume.member(),
                        (id, state) -> state.uid().equals(volume.uid())
                                ? owned(
                                        state,
                                        spec.storage().retention() == Retention.Delete
                                                ? VolumeOwner.CLUSTER
                                                : VolumeOwner.NOBODY)
                                : state);
            case Action.DeleteVolume volume -> {
                if (volumes.containsKey(volume.member())
                        && volume(volume.member()).uid().equals(volume.uid())) {
                    volumes.remove(volume.member());
                    incarnations++;
                    performed.add("delete volume " + volume.member());
                }
            }
            case Action.ResizeVolume volume -> {
                volumes.computeIfPresent(volume.member(), (id, state) -> expanded(state, volume.size()));
                performed.add("resize " + volume.member());
            }
            case Action.RemakeSet set -> {
                if (isStill(set.zone(), set.version())) {
                    performed.add("remake " + set.zone());
                    if (!sets.get(set.zone()).keepsVolumes()) {
                        throw new AssertionError("Kubernetes would delete volumes with the set of zone " + set.zone());
                    }
                    sets.remove(set.zone());
                }
            }
            case Action.TakeStatusBack set -> {
                if (isStill(set.zone(), set.version())) {
                    performed.add("take back the status of " + set.zone());
                    sets.computeIfPresent(set.zone(), (zone, misled) -> seen(misled));
                }
            }
            case Action.DeleteSet set -> {
                if (isStill(set.zone(), set.version())) {
                    sets.remove(set.zone());
                    performed.add("delete set " + set.zone());
                }
            }
        }
    }

    /** As its controller writes when it looks at it. */
    private SetState seen(SetState set) {
        return new SetState(set.replicas(), true, false, revision, set.volumeSize(), set.keepsVolumes(), version());
    }

    private boolean isStill(String zone, String version) {
        return sets.containsKey(zone) && sets.get(zone).version().equals(version);
    }

    void markJoined(String id, long epoch) {
        volumes.put(id, marked(volume(id), epoch, null));
    }

    private void mark(String id, String version, UnaryOperator<VolumeState> change) {
        if (volumes.containsKey(id) && volume(id).version().equals(version)) {
            volumes.put(id, change.apply(volume(id)));
        }
    }

    private VolumeState marked(VolumeState volume, @Nullable Long joined, @Nullable Long removed) {
        return new VolumeState(
                volume.uid(),
                version(),
                volume.terminating(),
                volume.bound(),
                new Marks(joined, removed),
                volume.expansion(),
                volume.owner());
    }

    private VolumeState expanded(VolumeState volume, String size) {
        return new VolumeState(
                volume.uid(),
                version(),
                volume.terminating(),
                volume.bound(),
                volume.marks(),
                new Expansion(size, stingy ? volume.capacity() : size, null),
                volume.owner());
    }

    private String version() {
        return Integer.toString(++versions);
    }

    private void replace(String id) {
        performed.add("replace " + id);
        if (lingering) {
            // It may be ready for as long as it likes, and be asked.
            pod(
                    id,
                    pod -> new PodState(
                            pod.uid(), pod.revision(), pod.ready(), true, pod.started(), pod.ended(), null));
        } else {
            end(id);
        }
    }

    /** The pod has ended, and the next one runs. */
    void end(String id) {
        pods.remove(id);
        unheard.remove(id);
        if (volume(id).terminating()) {
            volumes.remove(id);
            reports.remove(id);
            incarnations++;
        }
        startAgain(id);
    }

    private void startAgain(String id) {
        String set = id.substring(0, id.lastIndexOf('-'));
        sets.forEach((zone, state) -> {
            if (name.set(zone).equals(set)) {
                start(id, state.revision());
            }
        });
    }

    private VolumeState volume(String id) {
        VolumeState volume = volumes.get(id);
        if (volume == null) {
            throw new IllegalStateException("no volume of " + id);
        }
        return volume;
    }

    /** A new template: all pods are outdated. */
    void newRevision(String revision) {
        this.revision = revision;
        sets.replaceAll((zone, set) -> seen(set));
    }

    /** Its claim has no volume yet. */
    void unbind(String id) {
        VolumeState volume = volume(id);
        volumes.put(
                id,
                new VolumeState(
                        volume.uid(),
                        version(),
                        false,
                        false,
                        Marks.NONE,
                        new Expansion(volume.size(), null, null),
                        volume.owner()));
    }

    void failToResize(String id, String trouble) {
        VolumeState volume = volume(id);
        volumes.put(
                id,
                new VolumeState(
                        volume.uid(),
                        version(),
                        false,
                        true,
                        volume.marks(),
                        new Expansion(volume.size(), volume.capacity(), trouble),
                        volume.owner()));
    }

    /** Volumes got more than was asked for. */
    void provision(String capacity) {
        volumes.replaceAll((id, volume) -> new VolumeState(
                volume.uid(),
                version(),
                volume.terminating(),
                volume.bound(),
                volume.marks(),
                new Expansion(volume.size(), capacity, null),
                volume.owner()));
    }

    /** Somebody has written to the mark of a claim. */
    void spoilMark(String id, String trouble) {
        volumes.computeIfPresent(
                id,
                (same, volume) -> new VolumeState(
                        volume.uid(),
                        version(),
                        volume.terminating(),
                        volume.bound(),
                        new Marks(null, null, trouble),
                        volume.expansion(),
                        volume.owner()));
    }

    void deleteVolume(String id) {
        VolumeState volume = volume(id);
        volumes.put(
                id,
                new VolumeState(
                        volume.uid(),
                        version(),
                        true,
                        true,
                        volume.marks(),
                        new Expansion(volume.size(), volume.capacity(), null),
                        volume.owner()));
    }
}
