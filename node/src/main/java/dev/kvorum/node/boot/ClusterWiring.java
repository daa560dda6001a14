package dev.kvorum.node.boot;

import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.core.Arrival;
import dev.kvorum.node.core.Opened;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyFile;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.rocks.RocksStore;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.LoopResources;

/** What a node is before it serves anything: a member, with a directory and a store. */
@Configuration(proxyBeanMethods = false)
class ClusterWiring {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWiring.class);
    private static final Duration TOPOLOGY_POLL = Duration.ofSeconds(1);

    @Bean
    TopologyFile topologyFile(NodeSettings node) {
        return new TopologyFile(node.topologyFile());
    }

    @Bean
    Membership membership(NodeSettings node, TopologyFile file) {
        Topology topology = file.read();
        if (topology.member(node.nodeId()).isEmpty() && !node.awaitMembership()) {
            throw new InvalidTopologyException(
                    "the topology file " + node.topologyFile() + " does not name this node, \""
                            + node.nodeId() + "\"; its members are "
                            + topology.members().stream().map(Member::id).collect(Collectors.joining(", "))
                            + ". A node that is to join is started with --kvorum.await-membership=true");
        }
        return new Membership(node.nodeId(), topology);
    }

    @Bean(destroyMethod = "dispose")
    Disposable topologyWatch(TopologyFile file, Membership membership, MeterRegistry meters) {
        FunctionCounter.builder("kvorum.topology.file.reads", file, TopologyFile::reads)
                .description("How often the topology file was looked at")
                .register(meters);
        return file.watch(TOPOLOGY_POLL, Schedulers.boundedElastic(), membership::offer);
    }

    @Bean
    Inquiries inquiries(FrameLimits limits, FrameMetrics metrics, LoopResources loops, Membership membership) {
        return new Inquiries(
                limits, metrics, loops, membership.view().topology().cluster());
    }

    @Bean
    Opened<DataDirectory, RocksStore> opened(
            NodeSettings node,
            Membership membership,
            RepairSettings repair,
            Inquiries inquiries,
            StorageSettings storage,
            HintSettings hints,
            LoopResources loops,
            MeterRegistry meters) {
        Arrival arrival = new Arrival(
                membership, new PeerWitnesses(inquiries::open), repair.tombstoneGrace(), System::currentTimeMillis);
        Topology topology = membership.view().topology();
        RocksStore.Host host = new RocksStore.Host(new EventLoops(loops), NodeEnd::now, meters);
        RocksGround ground = new RocksGround(
                node.nodeId(),
                topology.cluster(),
                topology.partitions(),
                (directory, remembered) -> RocksStore.open(directory, remembered, storage, hints, host));
        DataDirectory found = ground.claim(node.dataDir());
        DataDirectory settled = arrival.settle(found, now -> ground.setAside(found, now));
        Opened<DataDirectory, RocksStore> opened = arrival.open(settled, ground);
        opened.directory().noteRunning(storage.durability());
        LOG.info(
                "Data directory {}, incarnation {}",
                opened.directory().path(),
                opened.directory().incarnation());
        return opened;
    }

    @Bean
    DataDirectory dataDirectory(Opened<DataDirectory, RocksStore> opened) {
        return opened.directory();
    }

    @Bean
    PeerIdentity peerIdentity(NodeSettings node, Membership membership, DataDirectory directory) {
        String cluster = membership.view().topology().cluster();
        return new PeerIdentity(cluster, node.nodeId(), directory.incarnation(), directory.start());
    }

    @Bean
    RocksStore store(Opened<DataDirectory, RocksStore> opened) {
        return opened.store();
    }
}
