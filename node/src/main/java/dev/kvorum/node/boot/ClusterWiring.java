package dev.kvorum.node.boot;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.membership.TopologyFile;
import dev.kvorum.node.repair.Absence;
import dev.kvorum.node.repair.LostLife;
import dev.kvorum.node.repair.MemberLife;
import dev.kvorum.node.repair.Verifications;
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
import reactor.netty.resources.LoopResources;

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
        if (topology.member(node.nodeId()).isEmpty() && !node.awaitMembership()) {
            throw new InvalidTopologyException(
                    "the topology file " + node.topologyFile() + " does not name this node, \""
                            + node.nodeId() + "\"; its members are "
                            + topology.members().stream().map(Member::id).collect(Collectors.joining(", "))
                            + ". A node that is to join is started with --kvorum.await-membership=true");
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
    Inquiries inquiries(FrameLimits limits, FrameMetrics metrics, LoopResources loops, Membership membership) {
        return new Inquiries(
                limits, metrics, loops, membership.view().topology().cluster());
    }

    @Bean
    DataDirectory dataDirectory(NodeSettings node, Membership membership, RepairSettings repair, Inquiries inquiries) {
        Witnesses witnesses = new Witnesses(inquiries::open);
        Topology topology = membership.view().topology();
        DataDirectory claimed =
                DataDirectory.claim(node.dataDir(), topology.cluster(), node.nodeId(), topology.partitions());
        claimed.lastTopology()
                .ifPresentOrElse(
                        json -> followOn(claimed, json, node, membership),
                        () -> Newcomer.catchUp(membership, witnesses));
        DataDirectory directory = unlessOutlived(claimed, membership.view(), repair, witnesses);
        membership.follow(view -> directory.keepTopology(TopologyJson.write(view.topology())));
        LOG.info("Data directory {}, incarnation {}", directory.path(), directory.incarnation());
        return directory;
    }

    /** The file may be older than what the node has learned from others since. */
    private static void followOn(DataDirectory directory, byte[] json, NodeSettings node, Membership membership) {
        Topology last = read(directory, json);
        long inFile = membership.view().epoch();
        if (last.epoch() <= inFile) {
            requireNear(inFile, last.epoch(), node);
            return;
        }
        LOG.warn(
                "The topology file {} has epoch {}, but this node has followed epoch {} and goes on by that",
                node.topologyFile(),
                inFile,
                last.epoch());
        membership.goOnBy(last);
        if (membership.view().epoch() != last.epoch()) {
            throw new InvalidTopologyException("the topology file " + node.topologyFile()
                    + " is of another cluster, or has other partitions, than epoch " + last.epoch()
                    + " that this node has followed");
        }
    }

    /** A start asks for as much as a running node does: an epoch that was adopted is never given up. */
    private static void requireNear(long inFile, long last, NodeSettings node) {
        if (inFile - last > Membership.EPOCHS_MISSED_MAX) {
            throw new InvalidTopologyException("the topology file " + node.topologyFile() + " has epoch " + inFile
                    + ", but this node has followed epoch " + last + ": it must be at most "
                    + Membership.EPOCHS_MISSED_MAX + " above that");
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
        PeerTopologies call = new PeerTopologies(transport.client(), membership);
        return new TopologyExchange(membership, call, Schedulers.boundedElastic(), deadlines::now);
    }

    /** What a node held that was away for too long must not bring back what was deleted meanwhile. */
    private static DataDirectory unlessOutlived(
            DataDirectory directory, ClusterView view, RepairSettings repair, Witnesses witnesses) {
        Duration grace = repair.tombstoneGrace();
        Optional<MemberLife> noted = directory.lastAlive().map(alive -> new MemberLife(alive.since(), alive.last()));
        long now = System.currentTimeMillis();
        if (noted.isEmpty() || Absence.of(noted.get(), now, List.of(), grace) == Absence.SHORT) {
            return directory;
        }
        MemberLife own = noted.get();
        String since = "since " + Instant.ofEpochMilli(own.last())
                + ", which is longer than kvorum.repair.tombstone-grace, " + grace;
        return switch (Absence.of(own, now, witnesses.lives(view), grace)) {
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
        MemberLife life = directory
                .lastAlive()
                .map(alive -> new MemberLife(alive.since(), alive.last()).resumedAt(now, repair.tombstoneGrace()))
                .orElse(new MemberLife(now, now));
        long before = directory.lastAlive().map(DataDirectory.Alive::last).orElse(now);
        return new LifeKeeper(directory, membership, life, before, repair.tombstoneGrace());
    }

    @Bean
    LostLife lostLife(DataDirectory directory, ClockSettings clock) {
        return new LostLife(directory.incarnation(), directory.created(), directory.rebuilding(), clock.aheadMax());
    }

    /** When partitions were verified, and which of them this node has lost. */
    @Bean
    Verifications verifications(
            LostLife lost, RocksCellStore store, Membership membership, RepairSettings repair, ClockSettings clock) {
        int partitions = membership.view().topology().partitions();
        Duration skew = clock.aheadMax().multipliedBy(2);
        Verifications verifications = new Verifications(store.notes(), partitions, repair.tombstoneGrace(), skew);
        verifications.load().block();
        membership.follow(view -> verifications.rebuild(lost.lostBefore(view)));
        return verifications;
    }

    @Bean
    RocksCellStore cellStore(
            DataDirectory directory, StorageSettings storage, LoopResources loops, MeterRegistry meters) {
        RocksCellStore store = RocksCellStore.open(directory.database(), storage, new EventLoops(loops), meters);
        store.keep(directory, NodeEnd::now, meters);
        return store;
    }

    @Bean
    HybridClock hybridClock(
            NodeSettings node,
            DataDirectory directory,
            ClockSettings clock,
            StorageSettings storage,
            RocksCellStore store) {
        clock.requireRoomFor(storage.syncInterval());
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
