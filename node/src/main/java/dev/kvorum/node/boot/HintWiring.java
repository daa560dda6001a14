package dev.kvorum.node.boot;

import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.HintReplay;
import dev.kvorum.node.hint.HintRoutes;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.Replicas;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.node.storage.RocksHintStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Writes owed to replicas that did not take them. */
@Configuration(proxyBeanMethods = false)
class HintWiring {
    /** Closed before the cells, whose database it shares. */
    @Bean
    RocksHintStore hintStore(RocksCellStore cells, HintSettings settings, RepairSettings repair) {
        settings.requireShorterThan(repair.tombstoneGrace());
        return cells.hints(settings);
    }

    @Bean
    HintMetrics hintMetrics(MeterRegistry meters, HintStore store) {
        return new HintMetrics(meters, store, System::currentTimeMillis);
    }

    @Bean
    Hints hints(HintStore store, HintMetrics metrics) {
        return new Hints(store, metrics);
    }

    @Bean(initMethod = "start")
    HintReplay hintReplay(
            HintStore store,
            HintMetrics metrics,
            HintSettings settings,
            Membership membership,
            Replicas replicas,
            Deadlines deadlines) {
        HintReplay replay = new HintReplay(
                store,
                new HintRoutes(membership, replicas::on),
                metrics,
                settings,
                deadlines,
                System::currentTimeMillis,
                () -> ThreadLocalRandom.current().nextDouble());
        replicas.whenTrusted(replay::trusted);
        return replay;
    }
}
