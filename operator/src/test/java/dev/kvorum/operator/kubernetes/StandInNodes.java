package dev.kvorum.operator.kubernetes;

import dev.kvorum.operator.node.ClusterNodes;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Nodes where there are no machines to run them: what they go by is kept with their volume, as a node keeps it on its disk, and each accepts and refuses topologies as a
 * node does. They hold no data; moving it takes no time unless {@link #holdTransfers} says so.
 */
final class StandInNodes implements ClusterNodes {
    private static final int PARTITIONS_MOVED = 100;

    private final KubernetesClient client;
    private final String namespace;
    private final Map<String, Disk> disks = new HashMap<>();
    private boolean held;
    private boolean rebuildsHeld;

    private static final class Disk {
        Topology topology;

        @Nullable
        Set<String> without;

        Disk(Topology topology) {
            this.topology = topology;
        }
    }

    StandInNodes(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** From now on nothing more is verified; or again. */
    synchronized void holdTransfers(boolean hold) {
        held = hold;
    }

    /** From now on nobody who has lost a disk comes to an end; or again. */
    synchronized void holdRebuilds(boolean hold) {
        rebuildsHeld = hold;
    }

    @Override
    public synchronized Optional<MemberReport> report(Member member) {
        return disk(member).map(disk -> {
            UUID incarnation = incarnation(member);
            UUID recorded =
                    disk.topology.member(member.id()).map(Member::incarnation).orElse(null);
            boolean lost = recorded != null && !recorded.equals(incarnation) && rebuildsHeld;
            return new MemberReport(
                    new MemberReport.Identity(
                            member.id(),
                            String.valueOf(disk.topology.cluster()),
                            disk.topology.partitions(),
                            incarnation),
                    MemberReport.Standing.of(disk.topology, member.id(), lost ? PARTITIONS_MOVED : 0),
                    new MemberReport.Transfer(
                            disk.without,
                            PARTITIONS_MOVED,
                            disk.without != null && !held ? PARTITIONS_MOVED : 0,
                            0,
                            0,
                            0,
                            1,
                            ""),
                    new MemberReport.Former(0, 0, ""),
                    new MemberReport.Disk(Long.MAX_VALUE, 0),
                    new MemberReport.Past(0, 1));
        });
    }

    @Override
    public synchronized Optional<Topology> topology(Member member) {
        return disk(member).map(disk -> disk.topology);
    }

    @Override
    public synchronized Optional<PartitionSizes> sizes(Member member) {
        return disk(member).map(disk -> {
            long[] bytes = new long[disk.topology.partitions()];
            Arrays.fill(bytes, 1);
            return new PartitionSizes(bytes, bytes);
        });
    }

    @Override
    public synchronized Answer push(Member member, Topology topology) {
        return disk(member).map(disk -> adopt(disk, topology)).orElse(new Answer.Unreachable("it does not run"));
    }

    private static Answer adopt(Disk disk, Topology topology) {
        if (disk.topology.equals(topology)) {
            return new Answer.Done();
        }
        boolean next = topology.epoch() == disk.topology.epoch() + 1;
        Optional<String> refusal = next ? Succession.refusal(disk.topology, topology) : Optional.empty();
        if (topology.epoch() <= disk.topology.epoch() || refusal.isPresent()) {
            return new Answer.Refused(refusal.orElse("its epoch is not newer"));
        }
        disk.topology = topology;
        disk.without = null;
        return new Answer.Done();
    }

    @Override
    public synchronized Answer settle(Member member, long epoch, List<String> gone) {
        return disk(member)
                .<Answer>map(disk -> {
                    if (disk.topology.epoch() != epoch) {
                        return new Answer.Refused("it goes by epoch " + disk.topology.epoch());
                    }
                    disk.without = Set.copyOf(gone);
                    return new Answer.Done();
                })
                .orElse(new Answer.Unreachable("it does not run"));
    }

    /** Of a node that runs; a new disk begins with the topology that is mounted. */
    private Optional<Disk> disk(Member member) {
        Pod pod = client.pods().inNamespace(namespace).withName(member.id()).get();
        boolean runs = pod != null && "Running".equals(pod.getStatus().getPhase());
        return runs
                ? Optional.of(disks.computeIfAbsent(volume(member), volume -> new Disk(mounted(member))))
                : Optional.empty();
    }

    private Topology mounted(Member member) {
        String cluster = member.id().substring(0, member.id().indexOf('-')); // In these tests no name has a dash.
        ConfigMap map = client.configMaps()
                .inNamespace(namespace)
                .withName(cluster + "-topology")
                .get();
        return TopologyJson.read(map.getData().get("topology.json").getBytes(StandardCharsets.UTF_8));
    }

    private String volume(Member member) {
        PersistentVolumeClaim claim = client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName("data-" + member.id())
                .get();
        return claim.getMetadata().getUid();
    }

    private UUID incarnation(Member member) {
        return UUID.nameUUIDFromBytes(volume(member).getBytes(StandardCharsets.UTF_8));
    }
}
