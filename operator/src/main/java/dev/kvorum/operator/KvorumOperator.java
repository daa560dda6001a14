package dev.kvorum.operator;

import dev.kvorum.operator.node.HttpNodes;
import dev.kvorum.operator.reconciler.ClusterReconciler;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.io.IOException;
import java.security.Security;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process: {@code java -jar kvorum-operator.jar}, told by its environment ({@link OperatorSettings}) and by {@code KUBECONFIG} or its service account. */
public final class KvorumOperator {
    private static final String NAMES_FRESH_SECONDS = "5";

    static {
        String level = System.getenv("KVORUM_OPERATOR_LOG_LEVEL");
        if (level != null && !level.isBlank()) {
            // Before the first logger is asked for: it is looked at once.
            System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", level.toLowerCase(Locale.ROOT));
        }
        // Read at the first lookup of a name. The JDK would go by the address of a pod that has been replaced for 30 s.
        Security.setProperty("networkaddress.cache.ttl", NAMES_FRESH_SECONDS);
    }

    private static final Logger LOG = LoggerFactory.getLogger(KvorumOperator.class);
    private static final int THREADS = 4; // Clusters that are looked at at a time.
    private static final Duration RETRY_MIN = Duration.ofSeconds(1);
    private static final Duration RETRY_MAX = Duration.ofSeconds(30);
    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    private KvorumOperator() {}

    public static void main(String[] args) throws IOException {
        System.setErr(new EscapedOutput(System.err)); // Loggers ask for it each time they write.
        OperatorSettings settings = settings();
        Operator operator = operator(settings, new KubernetesClientBuilder().build());
        register(operator, new ClusterReconciler(new HttpNodes(), settings.home()), settings);
        operator.installShutdownHook(STOP_MAX);
        operator.start();
        HealthServer health = new HealthServer(
                settings.managementPort(),
                () -> operator.getRuntimeInfo().allEventSourcesAreHealthy(),
                () -> operator.getRuntimeInfo().isStarted());
        LOG.info("Looking after KvorumClusters; health is answered on port {}", health.port());
    }

    private static OperatorSettings settings() {
        try {
            return OperatorSettings.of(System.getenv());
        } catch (IllegalArgumentException e) {
            LOG.error("The operator can't start: {}", e.getMessage());
            System.exit(1);
            throw e;
        }
    }

    /** One that stands for election where a lease is named, and acts alone where none is. */
    public static Operator operator(OperatorSettings settings, KubernetesClient client) {
        return new Operator(configuration -> {
            configuration
                    .withKubernetesClient(client)
                    .withConcurrentReconciliationThreads(THREADS)
                    .withUseSSAToPatchPrimaryResource(true)
                    .withReconciliationTerminationTimeout(STOP_MAX);
            settings.lease()
                    .ifPresent(lease -> configuration.withLeaderElectionConfiguration(
                            new LeaderElectionConfiguration(lease.name(), lease.namespace(), lease.identity())));
        });
    }

    /** Lets it look after clusters; what fails is tried again for ever, the more seldom the longer it has failed. */
    public static void register(Operator operator, ClusterReconciler reconciler, OperatorSettings settings) {
        var _ = operator.register(reconciler, configuration -> {
            configuration.withRetry(new GenericRetry()
                    .setInitialInterval(RETRY_MIN)
                    .setMaxInterval(RETRY_MAX.toMillis())
                    .withoutMaxAttempts());
            if (!settings.namespaces().isEmpty()) {
                configuration.settingNamespaces(settings.namespaces());
            }
        });
    }
}
