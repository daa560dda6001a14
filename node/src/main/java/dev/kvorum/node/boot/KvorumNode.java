package dev.kvorum.node.boot;

import dev.kvorum.node.config.ClockSettings;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.config.ManagementSettings;
import dev.kvorum.node.config.NodeSettings;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.config.QuorumSettings;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.RepairSettings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.thread.FileMask;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.application.SslHealthContributorAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.ssl.SslMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.task.TaskExecutorMetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ScheduledTasksObservationAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.ReactiveMultipartAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxObservationAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebSessionIdResolverAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * One node of a cluster:
 *
 * <pre>
 * java -jar kvorum-node.jar --kvorum.node-id=n1 --kvorum.data-dir=DIR --kvorum.topology-file=FILE \
 *     --server.port=8080 --kvorum.peer-port=9090 --management.server.port=8081
 * </pre>
 */
@SpringBootConfiguration(proxyBeanMethods = false)
// The client port has plain handlers; only the management port, a context of its own, has a dispatcher. What is
// neither served nor measured here (proxies, tasks, observations, TLS) would only make the start longer.
@EnableAutoConfiguration(
        exclude = {
            WebFluxAutoConfiguration.class,
            ErrorWebFluxAutoConfiguration.class,
            ReactiveMultipartAutoConfiguration.class,
            WebSessionIdResolverAutoConfiguration.class,
            WebFluxObservationAutoConfiguration.class,
            ObservationAutoConfiguration.class,
            ScheduledTasksObservationAutoConfiguration.class,
            AopAutoConfiguration.class,
            TaskExecutionAutoConfiguration.class,
            TaskSchedulingAutoConfiguration.class,
            TaskExecutorMetricsAutoConfiguration.class,
            SslHealthContributorAutoConfiguration.class,
            SslMetricsAutoConfiguration.class
        })
@EnableConfigurationProperties({
    NodeSettings.class,
    HttpSettings.class,
    ManagementSettings.class,
    QuorumSettings.class,
    ReadSettings.class,
    PeerSettings.class,
    ClockSettings.class,
    HintSettings.class,
    StorageSettings.class,
    RepairSettings.class
})
@Import({
    ClusterWiring.class,
    CoreWiring.class,
    RequestWiring.class,
    PortWiring.class,
    ControlWiring.class,
    ServerWiring.class
})
public class KvorumNode {
    public static void main(String[] arguments) {
        FileMask.keepOthersOut();
        SpringApplication.run(KvorumNode.class, arguments);
    }
}
