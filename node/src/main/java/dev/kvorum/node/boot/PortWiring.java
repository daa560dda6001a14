package dev.kvorum.node.boot;

import dev.kvorum.node.config.FileBudget;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.ManagementSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.http.PortLimits;
import dev.kvorum.node.http.PortLimits.Port;
import dev.kvorum.node.membership.Membership;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limits of the three ports, which share the files that the process may open. */
@Configuration(proxyBeanMethods = false)
class PortWiring {
    private static final Logger LOG = LoggerFactory.getLogger(PortWiring.class);

    @Bean
    FileBudget fileBudget(
            StorageSettings storage,
            HttpSettings http,
            ManagementSettings management,
            PeerSettings peer,
            Membership membership) {
        FileBudget files = FileBudget.of(
                storage, http, management, peer, membership.view().peers().size());
        if (files.isShort(http)) {
            LOG.warn(
                    "The process may open {} files, which leaves {} connections for clients and {} for members. Raise the limit for more: ulimit -n",
                    files.process(),
                    files.clients(),
                    files.peers());
        }
        membership.follow(view -> warnOfManyMembers(view.peers().size(), files));
        return files;
    }

    private static void warnOfManyMembers(int others, FileBudget files) {
        if (others > files.members()) {
            LOG.warn(
                    "There are {} other members, but when this node started it set files aside for connections to {}. Restart it, so that connections of clients"
                            + " can't take those files",
                    others,
                    files.members());
        }
    }

    @Bean
    PortLimits clientLimits(FileBudget files, HttpSettings http, MeterRegistry meters) {
        return limits(Port.CLIENTS, files.clients(), http, meters);
    }

    @Bean
    PortLimits peerLimits(FileBudget files, HttpSettings http, MeterRegistry meters) {
        return limits(Port.PEERS, files.peers(), http, meters);
    }

    @Bean
    PortLimits managementLimits(FileBudget files, HttpSettings http, MeterRegistry meters) {
        return limits(Port.MANAGEMENT, files.management(), http, meters);
    }

    private static PortLimits limits(Port port, int connectionsMax, HttpSettings http, MeterRegistry meters) {
        return PortLimits.of(
                port, connectionsMax, http.headerTimeout(), http.idleTimeout(), http.sendTimeout(), meters);
    }
}
