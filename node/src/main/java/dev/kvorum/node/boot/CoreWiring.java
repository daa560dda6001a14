package dev.kvorum.node.boot;

import dev.kvorum.node.admission.Admission;
import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.coordinator.AdaptiveFanOut;
import dev.kvorum.node.coordinator.FanOut;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.node.core.Load;
import dev.kvorum.node.core.NodeCore;
import dev.kvorum.node.core.Ports;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Restraint;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerTransport;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.rocks.RocksStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.LoopResources;

/** The ports of the {@link NodeCore}, and the core. How it is put together is in the core. */
@Configuration(proxyBeanMethods = false)
class CoreWiring {
    @Bean(initMethod = "start")
    DeadlineThread deadlineThread() {
        return new DeadlineThread();
    }

    /** It has no thread of its own: the bean above ends it. */
    @Bean
    Deadlines deadlines(DeadlineThread thread) {
        return thread.deadlines();
    }

    @Bean
    FrameLimits frameLimits(PeerSettings peer, HttpSettings http, BodyBudgets bodies) {
        return new FrameLimits(
                PeerProtocol.callMax((int) http.valueMax().toBytes()),
                peer.callsMax(),
                peer.bytesMax().toBytes(),
                peer.timeout(),
                peer.silenceMax(),
                bodies.peers());
    }

    @Bean
    FrameMetrics frameMetrics(MeterRegistry meters) {
        return new FrameMetrics(meters);
    }

    @Bean
    PeerTransport peerTransport(
            PeerSettings peer,
            FrameLimits limits,
            FrameMetrics frames,
            LoopResources loops,
            HttpSettings http,
            PeerIdentity self) {
        return new PeerTransport(peer, limits, frames, loops, peer.connections(http), self);
    }

    @Bean(destroyMethod = "close")
    LoadWatch loadWatch() {
        return new LoadWatch();
    }

    @Bean
    Load load(
            ReadSettings read,
            RepairSettings repair,
            LoadWatch watch,
            BodyBudgets bodies,
            Admission admission,
            MeterRegistry meters) {
        Restraint restraint = restraint(repair, watch, meters);
        return new Load(fanOut(read, watch), bodies.clients(), admission::isWaiting, restraint::askNanosPerKib);
    }

    private static FanOut fanOut(ReadSettings read, LoadWatch watch) {
        return switch (read.fanOut()) {
            case ALL -> FanOut.ALL;
            case HEDGED -> FanOut.HEDGED;
            case ADAPTIVE -> {
                AdaptiveFanOut adaptive = new AdaptiveFanOut();
                watch.follow(() -> true, adaptive::sample);
                yield adaptive;
            }
        };
    }

    private static Restraint restraint(RepairSettings repair, LoadWatch watch, MeterRegistry meters) {
        Restraint restraint = new Restraint(repair.loadMax() / 100.0, watch::wake);
        watch.follow(restraint::needsLoad, restraint::sample);
        TimeGauge.builder("kvorum.repair.rest", restraint, TimeUnit.NANOSECONDS, Restraint::nanosPerKib)
                .description(
                        "How long this node rests for each KiB that it reads to repair or to move data, as processors are busy")
                .register(meters);
        return restraint;
    }

    @Bean
    CoreSettings coreSettings(
            QuorumSettings quorum,
            ReadSettings read,
            PeerSettings peer,
            ClockSettings clock,
            StorageSettings storage,
            HintSettings hints,
            RepairSettings repair,
            HttpSettings http) {
        return new CoreSettings(quorum, read, peer, clock, storage, hints, repair, http.valueMax());
    }

    @Bean
    Ports ports(PeerTransport peers, Deadlines deadlines, Load load, MeterRegistry meters) {
        return new Ports(
                peers,
                deadlines,
                System::currentTimeMillis,
                () -> ThreadLocalRandom.current().nextLong(), // Any thread may ask it.
                Schedulers.boundedElastic(),
                load,
                meters,
                NodeEnd::now);
    }

    @Bean(destroyMethod = "close")
    NodeCore nodeCore(
            Membership membership, DataDirectory directory, RocksStore store, Ports ports, CoreSettings settings) {
        NodeCore core = new NodeCore(membership, directory, store, ports, settings);
        core.start();
        core.startSettling();
        return core;
    }

    @Bean
    DataLifecycle dataLifecycle(NodeCore core) {
        return new DataLifecycle(core);
    }
}
