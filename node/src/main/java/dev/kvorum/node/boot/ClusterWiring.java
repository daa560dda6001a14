package dev.kvorum.node.boot;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyFile;
import dev.kvorum.node.repair.Absence;
import dev.kvorum.node.repair.Life;
import dev.kvorum.node.repair.Verifications;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/** What a node is before it serves anything: a member, with a directory, a store and a clock. */
@Configuration(proxyBeanMethods = false)
class ClusterWiring {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWiring.class);
    private static final Duration TOPOLOGY_POLL = Duration.ofSeconds(1);

    @Bean
    TopologyFile topologyFile(NodeSettings node) {
        return new TopologyFile(node.topologyFile());
    }

    @Bean
    Membership membership(NodeSettings node, TopologyFile file, MeterRegistry meters) {
        Topology topology = file.read();
        if (topology.member(node.nodeId()).isEmpty()) {
            throw new InvalidTopologyException(
                    "the topology file " + node.topologyFile() + " does not name this node, \""
                            + node.nodeId() + "\"; its members are "
                            + topology.members().stream().map(Member::id).collect(Collectors.joining(", ")));
        }
        Membership membership = new Membership(node.nodeId(), topology);
        Gauge.builder(
                        "kvorum.topology.epoch",
                        membership,
                        m -> m.view().topology().epoch())
                .description("The epoch in force")
                .register(meters);
        return membership;
    }

    @Bean(destroyMethod = "dispose")
    Disposable topologyWatch(TopologyFile file, Membership membership, MeterRegistry meters) {
        FunctionCounter.builder("kvorum.topology.file.reads", file, TopologyFile::reads)
                .description("How often the topology file was looked at")
                .register(meters);
        return file.watch(TOPOLOGY_POLL, Schedulers.boundedElastic(), membership::offer);
    }

    @Bean
    DataDirectory dataDirectory(NodeSettings node, Membership membership, RepairSettings repair) {
        Topology topology = membership.view().topology();
        DataDirectory claimed =
                DataDirectory.claim(node.dataDir(), topology.cluster(), node.nodeId(), topology.partitions());
        if (topology.epoch() < claimed.lastEpoch()) {
            throw new InvalidTopologyException("the topology file " + node.topologyFile() + " has epoch "
                    + topology.epoch() + ", but this node has followed epoch " + claimed.lastEpoch());
        }
        DataDirectory directory = unlessOutlived(claimed, membership.view(), repair);
        membership.follow(view -> directory.noteEpoch(view.topology().epoch()));
        LOG.info("Data directory {}, incarnation {}", directory.path(), directory.incarnation());
        return directory;
    }

    /** What a node held that was away for too long must not bring back what was deleted meanwhile. */
    private static DataDirectory unlessOutlived(DataDirectory directory, ClusterView view, RepairSettings repair) {
        Duration grace = repair.tombstoneGrace();
        Optional<Life> noted = directory.lastAlive().map(alive -> new Life(alive.since(), alive.last()));
        long now = System.currentTimeMillis();
        if (noted.isEmpty() || Absence.of(noted.get(), now, List.of(), grace) == Absence.SHORT) {
            return directory;
        }
        Life own = noted.get();
        String since = "since " + Instant.ofEpochMilli(own.last())
                + ", which is longer than kvorum.repair.tombstone-grace, " + grace;
        return switch (Absence.of(own, now, Witnesses.ask(view), grace)) {
            case SHORT -> directory;
            case OUTLIVED -> {
                LOG.warn(
                        "This member was away {}. Others have lived on and may have dropped deletions that it has missed: what it held is"
                                + " set aside in {}, where nobody uses it, and it begins as an empty one. It serves no reads of a"
                                + " partition until that is rebuilt from the others",
                        since,
                        directory.aside(now));
                Topology topology = view.topology();
                yield directory.setAside(now, topology.cluster(), view.self(), topology.partitions());
            }
            case SHARED -> {
                LOG.warn("This member was away {}. So were all others that answered: it keeps what it holds", since);
                yield directory;
            }
            case ALONE -> {
                LOG.warn(
                        "This member was away {}. No other could be asked whether it was there meanwhile: it keeps what it holds",
                        since);
                yield directory;
            }
        };
    }

    @Bean(destroyMethod = "close")
    LifeKeeper lifeKeeper(DataDirectory directory, Membership membership, RepairSettings repair) {
        long now = System.currentTimeMillis();
        Life life = directory
                .lastAlive()
                .map(alive -> new Life(alive.since(), alive.last()).resumedAt(now, repair.tombstoneGrace()))
                .orElse(new Life(now, now));
        return new LifeKeeper(directory, membership, life, repair.tombstoneGrace());
    }

    /** When partitions were verified, and which of them this node has lost. */
    @Bean
    Verifications verifications(
            DataDirectory directory,
            RocksCellStore store,
            Membership membership,
            RepairSettings repair,
            ClockSettings clock) {
        int partitions = membership.view().topology().partitions();
        Duration skew = clock.aheadMax().multipliedBy(2);
        Verifications verifications = new Verifications(store.notes(), partitions, repair.tombstoneGrace(), skew);
        verifications.load().block();
        if (directory.rebuilding() > 0) {
            // A run that has begun since then verifies up to the settling time before.
            verifications.rebuild(directory.rebuilding() - repair.settling().toMillis());
        }
        return verifications;
    }

    @Bean
    RocksCellStore cellStore(DataDirectory directory, StorageSettings storage, MeterRegistry meters) {
        return RocksCellStore.open(directory.database(), storage, meters);
    }

    @Bean
    HybridClock hybridClock(NodeSettings node, ClockSettings clock, StorageSettings storage, RocksCellStore store) {
        long author = Hashing.xxh3_64().hashCharsToLong(node.nodeId());
        HybridClock hybrid = new HybridClock(
                System::currentTimeMillis, author, clock.aheadMax(), floor(store.newestOfFormerLife(), storage));
        store.syncEvery(storage.syncInterval(), hybrid::newest);
        warnOfFormerTime(hybrid, clock);
        return hybrid;
    }

    private static void warnOfFormerTime(HybridClock clock, ClockSettings settings) {
        Duration lead = clock.lead();
        if (lead.compareTo(settings.aheadMax()) > 0) {
            LOG.warn(
                    "This node has issued versions {} s ahead of its wall clock: until that time has come, other members refuse what is"
                            + " written through it. Its clock was, or is, wrong",
                    lead.toSeconds());
        }
    }

    /**
     * The former life noted its time once per interval, and when it was closed: what it issued after its last note lies within the next
     * two intervals. Not covered is what it saw from clocks ahead of its own just before it was killed; their lead is bounded by
     * {@code kvorum.clock.ahead-max}, and gone once this node has been down for as long.
     */
    private static long floor(long noted, StorageSettings storage) {
        return noted == 0 ? 0 : HybridClock.later(noted, storage.syncInterval().multipliedBy(2));
    }
}
