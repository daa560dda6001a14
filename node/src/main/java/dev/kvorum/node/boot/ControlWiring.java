package dev.kvorum.node.boot;

import dev.kvorum.node.control.ClusterControl;
import dev.kvorum.node.core.NodeCore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Control, repair and the scrub, as endpoints of the management port. */
@Configuration(proxyBeanMethods = false)
class ControlWiring {
    @Bean
    RepairEndpoint repairEndpoint(NodeCore core) {
        return new RepairEndpoint(core.repair(), core.membership());
    }

    @Bean
    ScrubEndpoint scrubEndpoint(NodeCore core) {
        return new ScrubEndpoint(core.scrub());
    }

    @Bean
    TopologyEndpoint topologyEndpoint(NodeCore core) {
        return new TopologyEndpoint(core.exchange());
    }

    @Bean
    MemberEndpoint memberEndpoint(NodeCore core) {
        return new MemberEndpoint(core.member());
    }

    @Bean
    ClusterEndpoint clusterEndpoint(NodeCore core, Inquiries inquiries) {
        return new ClusterEndpoint(new ClusterControl(core.membership(), core.exchange(), inquiries::openForCommand));
    }
}
