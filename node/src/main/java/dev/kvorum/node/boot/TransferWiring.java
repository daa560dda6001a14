package dev.kvorum.node.boot;

import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.control.ClusterControl;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.node.storage.RocksCellStore;
import dev.kvorum.node.transfer.Transfer;
import dev.kvorum.node.transfer.TransferMetrics;
import dev.kvorum.node.transfer.TransferParts;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Moving data when the members change. */
@Configuration(proxyBeanMethods = false)
class TransferWiring {
    @Bean
    Transfer transfer(
            Membership membership,
            Repair repair,
            RocksCellStore store,
            Deadlines deadlines,
            LifeKeeper life,
            RepairSettings settings,
            MeterRegistry meters) {
        TransferParts parts = new TransferParts(
                membership,
                repair,
                store.partitions(),
                store.drops(),
                store.notes(),
                deadlines,
                System::currentTimeMillis,
                life::before,
                settings.tombstoneGrace(),
                settings.rate().toBytes());
        return new Transfer(parts, new TransferMetrics(meters));
    }

    @Bean
    TransferLifecycle transferLifecycle(Transfer transfer) {
        return new TransferLifecycle(transfer);
    }

    @Bean
    NodeMembership nodeMembership(
            Membership membership,
            Transfer transfer,
            Repair repair,
            DataDirectory directory,
            RocksCellStore store,
            LifeKeeper life) {
        return new NodeMembership(membership, transfer, repair, directory, store, life);
    }

    @Bean
    ClusterControl clusterControl(Membership membership, TopologyExchange exchange, Inquiries inquiries) {
        return new ClusterControl(membership, exchange, inquiries::openForCommand);
    }

    @Bean
    TopologyEndpoint topologyEndpoint(TopologyExchange exchange) {
        return new TopologyEndpoint(exchange);
    }

    @Bean
    MemberEndpoint memberEndpoint(NodeMembership member) {
        return new MemberEndpoint(member);
    }

    @Bean
    ClusterEndpoint clusterEndpoint(ClusterControl cluster) {
        return new ClusterEndpoint(cluster);
    }
}
