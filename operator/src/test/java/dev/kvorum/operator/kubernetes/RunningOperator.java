package dev.kvorum.operator.kubernetes;

import dev.kvorum.operator.KvorumOperator;
import dev.kvorum.operator.OperatorSettings;
import dev.kvorum.operator.node.ClusterNodes;
import dev.kvorum.operator.reconciler.ClusterReconciler;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.util.Optional;
import java.util.Set;

/** An operator that looks after one namespace, until it is closed. */
final class RunningOperator implements AutoCloseable {
    static final String HOME = "kvorum-system";

    private final Operator operator;

    RunningOperator(KubernetesClient client, String namespace, ClusterNodes nodes) {
        OperatorSettings settings = new OperatorSettings(Set.of(namespace), Optional.of(HOME), Optional.empty(), 0);
        operator = KvorumOperator.operator(settings, client);
        KvorumOperator.register(operator, new ClusterReconciler(nodes, settings.home()), settings);
        operator.start();
    }

    @Override
    public void close() {
        operator.stop();
    }
}
