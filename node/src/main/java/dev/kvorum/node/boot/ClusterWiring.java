package dev.kvorum.node.boot;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.membership.TopologyFile;
import dev.kvorum.node.replica.PeerTopologies;
import dev.kvorum.node.replica.PeerTransport;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
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
        directory.lastTopology().ifPresent(json -> followOn(directory, json, node, membership));
        membership.follow(view -> directory.keepTopology(TopologyJson.write(view.topology())));
        LOG.info("Data directory {}, incarnation {}", directory.path(), directory.incarnation());
        return directory;
    }

    /** The file may be older than what the node has learned from others since. */
    private static void followOn(DataDirectory directory, byte[] json, NodeSettings node, Membership membership) {
        Topology last = read(directory, json);
        long inFile = membership.view().epoch();
        if (last.epoch() <= inFile) {
            return;
        }
        LOG.warn(
                "The topology file {} has epoch {}, but this node has followed epoch {} and goes on by that",
                node.topologyFile(),
                inFile,
                last.epoch());
        membership.offer(last);
        if (membership.view().epoch() != last.epoch()) {
            throw new InvalidTopologyException("the topology file " + node.topologyFile()
                    + " is of another cluster, or has other partitions, than epoch " + last.epoch()
                    + " that this node has followed");
        }
    }

    private static Topology read(DataDirectory directory, byte[] json) {
        try {
            return TopologyJson.read(json);
        } catch (InvalidTopologyException e) {
            throw directory.damagedTopology(e);
        }
    }

    @Bean
    TopologyExchange topologyExchange(Membership membership, PeerTransport transport, Deadlines deadlines) {
        PeerTopologies call = new PeerTopologies(transport, membership);
        return new TopologyExchange(membership, call, Schedulers.boundedElastic(), deadlines::now);
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
