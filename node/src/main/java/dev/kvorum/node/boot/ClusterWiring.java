package dev.kvorum.node.boot;

import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.core.Arrival;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.node.membership.ClusterView;
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
    OpenedDirectory openedDirectory(
            NodeSettings node,
            Membership membership,
            RepairSettings repair,
            Inquiries inquiries,
            StorageSettings storage,
            HintSettings hints,
            LoopResources loops,
            MeterRegistry meters) {
        PeerWitnesses others = new PeerWitnesses(inquiries::open);
        Arrival arrival = new Arrival(membership, others, repair.tombstoneGrace(), System::currentTimeMillis);
        DataDirectory settled = settledDirectory(node, membership, arrival);
        ClusterView view = membership.view();
        RocksStore.Host host = new RocksStore.Host(new EventLoops(loops), NodeEnd::now, meters);
        OpenedDirectory opened = OpenedDirectory.open(
                settled,
                (directory, remembered) -> RocksStore.open(directory, remembered, storage, hints, host),
                view,
                arrival.remembered(settled),
                () -> others.reports(view),
                arrival::afterLastLife,
                directory -> setAside(directory, arrival.afterLastLife(directory), view.topology(), node));
        opened.directory().noteRunning(storage.durability());
        LOG.info(
                "Data directory {}, incarnation {}",
                opened.directory().path(),
                opened.directory().incarnation());
        return opened;
    }

    @Bean
    DataDirectory dataDirectory(OpenedDirectory opened) {
        return opened.directory();
    }

    private static DataDirectory settledDirectory(NodeSettings node, Membership membership, Arrival arrival) {
        Topology topology = membership.view().topology();
        DataDirectory found =
                DataDirectory.claim(node.dataDir(), topology.cluster(), node.nodeId(), topology.partitions());
        return arrival.settle(found, now -> setAside(found, now, topology, node));
    }

    private static DataDirectory setAside(DataDirectory found, long now, Topology topology, NodeSettings node) {
        LOG.warn(
                "What this member held is moved to {}. Delete it when the member is rebuilt, or before if the disk is short of room",
                found.aside(now));
        return found.setAside(now, topology.cluster(), node.nodeId(), topology.partitions());
    }

    @Bean
    PeerIdentity peerIdentity(NodeSettings node, Membership membership, DataDirectory directory) {
        String cluster = membership.view().topology().cluster();
        return new PeerIdentity(cluster, node.nodeId(), directory.incarnation(), directory.start());
    }

    @Bean
    RocksStore store(OpenedDirectory opened) {
        return opened.store();
    }
}
