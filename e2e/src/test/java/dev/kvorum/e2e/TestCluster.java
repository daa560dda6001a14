package dev.kvorum.e2e;

import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.report.Evidence;
import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Checker;
import dev.kvorum.history.check.Promises;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster for the scenarios of a class, or for each of them:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TestCluster nodes = TestCluster.of(ClusterSpec.ofNodes(3)); // Not static: a new one for each.
 * }</pre>
 *
 * When a scenario has ended, the history of all that clients saw is checked; what is found makes it fail. Of one that failed, logs, metrics
 * and history are kept.
 */
public final class TestCluster
        implements BeforeAllCallback,
                BeforeEachCallback,
                AfterTestExecutionCallback,
                AfterEachCallback,
                AfterAllCallback {
    private static final Duration REACHED_MAX = Duration.ofSeconds(60);

    private final ClusterSpec spec;
    private final Promises promises;
    private @Nullable Cluster cluster;
    private final List<Anomaly> known = new ArrayList<>();
    private boolean isShared;

    private TestCluster(ClusterSpec spec, Promises promises) {
        this.spec = spec;
        this.promises = promises;
    }

    public static TestCluster of(ClusterSpec spec) {
        Promises rebuilt = Promises.ofPlainQuorums().withRebuiltDisks();
        return new TestCluster(spec, spec.clocksCanSkew() ? rebuilt : rebuilt.withAgreeingClocks());
    }

    /** The cluster, while a scenario runs. */
    public Cluster get() {
        return Objects.requireNonNull(cluster, "there is a cluster only while a scenario runs");
    }

    /** The node of that number, from 1 on. */
    public Node node(int number) {
        return get().node(number);
    }

    /** Blocks until every node writes to all replicas: a majority alone is found before all connections are there that a start or a cut has ended. */
    public void awaitAllReachAll() {
        EntityClient client = new EntityClient(get());
        int copies = Math.min(spec.replicationFactor(), spec.nodes());
        Eventually.await(
                "each writes to all",
                REACHED_MAX,
                () -> get().nodes().stream()
                        .filter(Node::exists)
                        .allMatch(node -> client.put(
                                        node, "met", client.fresh("" + System.nanoTime()), new Quorum(copies, copies))
                                .is(201)));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        isShared = true;
        start(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (isShared) {
            keepingEvidence(context, () -> {
                get().awaitReady();
                awaitAllReachAll();
            });
        } else {
            start(context);
        }
    }

    private void start(ExtensionContext context) {
        Cluster fresh =
                Cluster.of(spec, context.getRequiredTestClass().getSimpleName().toLowerCase(Locale.ROOT));
        cluster = fresh;
        keepingEvidence(context, () -> {
            fresh.start();
            awaitAllReachAll();
        });
    }

    /** A node that is not ready fails a scenario before it has begun. */
    private void keepingEvidence(ExtensionContext context, Runnable beginning) {
        try {
            beginning.run();
        } catch (RuntimeException | Error e) {
            Evidence.keep(get(), context, e.toString(), List.of());
            throw e;
        }
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        List<Anomaly> anomalies =
                new ArrayList<>(new Checker(promises).check(get().recorder().history()));
        anomalies.removeAll(known); // Those have failed the scenario in which they came up.
        known.addAll(anomalies);
        if (context.getExecutionException().isPresent() || !anomalies.isEmpty()) {
            Evidence.keep(
                    get(),
                    context,
                    context.getExecutionException().map(Throwable::toString).orElse(""),
                    anomalies);
        }
        if (!anomalies.isEmpty()) {
            throw new AssertionError("The history breaks promises: " + anomalies);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!isShared) {
            close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isShared) {
            close();
        }
    }

    private void close() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
