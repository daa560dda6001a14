package dev.kvorum.operator.decision;

import dev.kvorum.operator.api.ChangeStatus;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.MemberStatus;
import dev.kvorum.operator.api.Phase;
import dev.kvorum.operator.api.TransferStatus;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The status that tells of what was observed and decided. */
public final class StatusReport {
    private final Observed observed;
    private final Decision decision;
    private final Conditions conditions;
    private final long generation;
    private final @Nullable KvorumClusterStatus previous;
    private final @Nullable Topology topology;

    /**
     * @param generation of the spec that was looked at
     * @param previous the last status; null where there is none
     * @param now the present time, as Kubernetes writes it
     */
    public StatusReport(
            Observed observed, Decision decision, long generation, @Nullable KvorumClusterStatus previous, String now) {
        this.observed = observed;
        this.decision = decision;
        this.generation = generation;
        this.previous = previous;
        this.topology =
                observed.published() == null ? null : observed.published().topology();
        this.conditions = new Conditions(observed, decision, generation, previous, now);
    }

    /**
     * The status when nothing could be decided. What was found before stands as it was, only that it is not known to be so any more.
     *
     * @param before the last status; null where there is none
     * @param reason what failed, in words
     * @param now the present time, as Kubernetes writes it
     */
    public static KvorumClusterStatus failed(@Nullable KvorumClusterStatus before, String reason, String now) {
        KvorumClusterStatus.Builder status =
                before == null ? new KvorumClusterStatus.Builder() : new KvorumClusterStatus.Builder(before);
        return status.phase(Phase.Degraded)
                .conditions(Conditions.failed(before == null ? List.of() : before.conditions(), reason, now))
                .lastError(reason)
                .build();
    }

    /** The status. */
    public KvorumClusterStatus status() {
        return new KvorumClusterStatus.Builder()
                .observedGeneration(generation)
                .phase(phase())
                .conditions(conditions.all())
                .replicas(observed.pods().size())
                .readyReplicas((int) observed.pods().values().stream()
                        .filter(Observed.PodState::ready)
                        .count())
                .selector(Labels.selecting(observed.name()).entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .sorted()
                        .collect(Collectors.joining(",")))
                .epoch(topology == null ? 0 : topology.epoch())
                .members(members())
                .volumeSize(volumeSize())
                .change(change())
                .lastError(conditions.lastError())
                .build();
    }

    private Phase phase() {
        MembershipStep membership = decision.membership();
        RolloutStep rollout = decision.rollout();
        if (observed.spec().paused()) {
            return Phase.Paused;
        } else if (decision.obstacle() != null) {
            return decision.obstacle().invalid() ? Phase.Invalid : Phase.Degraded;
        } else if (conditions.isCreating()) {
            return Phase.Creating;
        } else if (conditions.isDegraded()) {
            return Phase.Degraded;
        } else if (membership != null && membership.step().isUnderWay()) {
            return Phase.Scaling;
        } else if (rollout != null && !rollout.isDone()) {
            return Phase.Updating;
        }
        return conditions.isReady() ? Phase.Running : Phase.Updating;
    }

    private List<MemberStatus> members() {
        Map<String, MemberStatus> members = new TreeMap<>();
        observed.pods().forEach((id, pod) -> members.put(id, member(id, zone(id), outside(id), pod.ready())));
        if (topology != null) {
            for (Member member : topology.members()) {
                boolean ready =
                        observed.pod(member).map(Observed.PodState::ready).orElse(false);
                members.put(
                        member.id(),
                        member(member.id(), member.zone(), member.state().name(), ready));
            }
        }
        return List.copyOf(members.values());
    }

    private MemberStatus member(String id, String zone, String state, boolean ready) {
        Optional<MemberReport> report = Optional.ofNullable(observed.reports().get(id));
        return new MemberStatus(
                id,
                zone,
                state,
                ready,
                report.map(MemberReport::epoch).orElse(null),
                report.map(node -> told(id, node.disk().used())).orElse(null));
    }

    /** What was told before, as long as that is about right: a status that changes with each write would be written for ever. */
    private long told(String id, long used) {
        return previous == null
                ? used
                : previous.members().stream()
                        .filter(member -> member.id().equals(id))
                        .map(MemberStatus::bytes)
                        .flatMap(Stream::ofNullable)
                        .filter(before -> Math.abs(used - before) <= before / 10)
                        .findFirst()
                        .orElse(used);
    }

    private String zone(String pod) {
        return observed.name().zoneOf(pod, observed.zones()).orElse("");
    }

    private String outside(String pod) {
        Observed.VolumeState volume = observed.volumes().get(pod);
        return volume != null && volume.removed() != null ? "REMOVED" : "STARTING";
    }

    private @Nullable String volumeSize() {
        return observed.volumes().values().stream()
                .filter(volume -> volume.capacity() != null)
                .map(StatusReport::least)
                .max(Comparator.comparing(StatusReport::bytes))
                .orElse(null);
    }

    /** What a claim can't go below: its request, or what it has got of that so far. */
    private static String least(Observed.VolumeState volume) {
        String capacity = Objects.requireNonNull(volume.capacity());
        return bytes(capacity).compareTo(bytes(volume.size())) < 0 ? capacity : volume.size();
    }

    private static BigDecimal bytes(String size) {
        return Quantity.getAmountInBytes(new Quantity(size));
    }

    private @Nullable ChangeStatus change() {
        MembershipStep step = decision.membership();
        ScalingPlan plan = step == null ? null : step.plan();
        if (step == null || plan == null) {
            return null;
        }
        return new ChangeStatus(
                plan.id(), step.step().name(), plan.joining(), plan.leaving(), transfer(plan), step.message());
    }

    private TransferStatus transfer(ScalingPlan plan) {
        List<MemberReport.Transfer> transfers = new ArrayList<>();
        if (topology != null && topology.isChanging()) {
            topology.nextOwners()
                    .forEach(owner ->
                            observed.report(owner).map(MemberReport::transfer).ifPresent(transfers::add));
        }
        Long moved = null;
        Integer verified = null;
        if (!transfers.isEmpty()) {
            moved = transfers.stream().mapToLong(MemberReport.Transfer::bytes).sum();
            verified =
                    transfers.stream().mapToInt(MemberReport.Transfer::verified).sum();
        }
        return new TransferStatus(plan.bytes(), moved, plan.partitions(), verified, plan.seconds());
    }
}
