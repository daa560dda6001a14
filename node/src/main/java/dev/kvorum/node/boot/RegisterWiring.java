package dev.kvorum.node.boot;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.consensus.Acceptor;
import dev.kvorum.node.consensus.Electorates;
import dev.kvorum.node.consensus.Rebirth;
import dev.kvorum.node.consensus.RegisterCoordinator;
import dev.kvorum.node.consensus.RegisterMetrics;
import dev.kvorum.node.consensus.RegisterParts;
import dev.kvorum.node.consensus.RegisterService;
import dev.kvorum.node.consensus.Settling;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.LostLife;
import dev.kvorum.node.repair.Verifications;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.RemoteCalls;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.storage.RocksCellStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keys as registers. */
@Configuration(proxyBeanMethods = false)
class RegisterWiring {
    @Bean
    Acceptor acceptor(
            LocalReplica local,
            Membership membership,
            RocksCellStore store,
            HybridClock clock,
            LostLife lost,
            Verifications verifications) {
        return new Acceptor(
                local,
                membership,
                store.registers(),
                clock,
                System::currentTimeMillis,
                new Rebirth(verifications::isRebuilding, () -> lost.ballotFloor(membership.view())));
    }

    @Bean
    RegisterService registerService(Acceptor acceptor) {
        return new RegisterService(acceptor);
    }

    /** @param replicas only because it tells the transport who the members are */
    @Bean
    RegisterParts registerParts(
            Membership membership,
            Acceptor acceptor,
            RemoteCalls calls,
            Replicas replicas,
            HybridClock clock,
            QuorumSettings quorum,
            Deadlines deadlines,
            InFlight inFlight,
            Hints hints,
            MeterRegistry meters) {
        return new RegisterParts(
                new Electorates(membership, acceptor, calls),
                clock,
                System::currentTimeMillis,
                quorum.deadline(),
                deadlines,
                () -> ThreadLocalRandom.current().nextDouble(),
                inFlight,
                hints,
                new RegisterMetrics(meters));
    }

    @Bean
    RegisterCoordinator registerCoordinator(RegisterParts parts) {
        return new RegisterCoordinator(parts);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    Settling settling(RocksCellStore store, RegisterParts parts, RegisterCoordinator coordinator, Acceptor acceptor) {
        return new Settling(store.registers(), parts, coordinator, acceptor);
    }
}
