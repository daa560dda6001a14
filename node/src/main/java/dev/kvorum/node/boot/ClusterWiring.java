package dev.kvorum.node.boot;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyFile;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
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
    DataDirectory dataDirectory(NodeSettings node, Membership membership) {
        Topology topology = membership.view().topology();
        DataDirectory directory =
                DataDirectory.claim(node.dataDir(), topology.cluster(), node.nodeId(), topology.partitions());
        if (topology.epoch() < directory.lastEpoch()) {
            throw new InvalidTopologyException("the topology file " + node.topologyFile() + " has epoch "
                    + topology.epoch() + ", but this node has followed epoch " + directory.lastEpoch());
        }
        membership.follow(view -> directory.noteEpoch(view.topology().epoch()));
        LOG.info("Data directory {}, incarnation {}", directory.path(), directory.incarnation());
        return directory;
    }

    @Bean
    RocksCellStore cellStore(DataDirectory directory, StorageSettings storage, MeterRegistry meters) {
        return RocksCellStore.open(directory.database(), storage, meters);
    }

    @Bean
    HybridClock hybridClock(
            NodeSettings node,
            DataDirectory directory,
            ClockSettings clock,
            StorageSettings storage,
            RocksCellStore store) {
        // Of this life: where a crash made the node forget how far it had come, no two writes may get the same version.
        String life = node.nodeId() + "/" + directory.incarnation() + "/" + directory.countStart();
        long author = Hashing.xxh3_64().hashCharsToLong(life);
        HybridClock hybrid = new HybridClock(
                System::currentTimeMillis,
                author,
                clock.aheadMax(),
                HybridClock.floorAbove(store.newestOfFormerLife(), storage.syncInterval()));
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
}
