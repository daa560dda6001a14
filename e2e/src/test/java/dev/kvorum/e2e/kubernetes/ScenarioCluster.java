package dev.kvorum.e2e.kubernetes;

import dev.kvorum.history.check.Anomaly;
import dev.kvorum.history.check.Checker;
import dev.kvorum.history.check.Promises;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A ready cluster for each scenario of a class, in a namespace of its own:
 *
 * <pre>{@code
 * @RegisterExtension
 * final ScenarioCluster scenario = ScenarioCluster.of("{storage: {retention: Delete}}");
 * }</pre>
 *
 * When a scenario has ended, the history of all that clients saw is checked; what is found makes it fail. Of one that failed, everything is kept that Kubernetes can tell.
 */
public final class ScenarioCluster implements BeforeEachCallback, AfterTestExecutionCallback, AfterEachCallback {
    private static final Promises PROMISES = Promises.ofPlainQuorums().withAgreeingClocks();

    private final @Nullable String spec;
    private @Nullable ManagedCluster cluster;
    private @Nullable OperatorRelease operator;

    private ScenarioCluster(@Nullable String spec) {
        this.spec = spec;
    }

    /** @param spec a line of YAML; the image that is tested is added */
    public static ScenarioCluster of(String spec) {
        return new ScenarioCluster(spec);
    }

    /** A namespace without a cluster; the scenario makes it. */
    public static ScenarioCluster none() {
        return new ScenarioCluster(null);
    }

    public ManagedCluster get() {
        return Objects.requireNonNull(cluster, "there is a cluster only while a scenario runs");
    }

    public OperatorRelease operator() {
        return Objects.requireNonNull(operator, "there is an operator only while a scenario runs");
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        operator = OperatorRelease.of(context);
        String of = context.getRequiredTestClass()
                .getSimpleName()
                .replace("E2E", "")
                .toLowerCase(Locale.ROOT);
        cluster = new ManagedCluster("kvorum-e2e-" + of + "-" + Long.toString(System.nanoTime() & 0xffffff, 36));
        if (spec != null) {
            keepingEvidence(context, () -> {
                get().apply(spec);
                get().awaitReady();
            });
        }
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        Optional<Throwable> failure = context.getExecutionException();
        failure.ifPresent(e -> keepEvidence(context, e));
        keepingEvidence(context, () -> {
            if (failure.isEmpty() && get().isServing()) {
                StoredKeys.readAll(get());
            }
            List<Anomaly> anomalies =
                    new Checker(PROMISES).check(get().recorder().history());
            if (!anomalies.isEmpty()) {
                throw new AssertionError("The history breaks promises: " + anomalies);
            }
        });
    }

    /** What fails before a scenario or after it says as little by itself as what fails in it. */
    private void keepingEvidence(ExtensionContext context, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            keepEvidence(context, e);
            throw e;
        }
    }

    /** What was to be explained is told also where that fails. */
    private void keepEvidence(ExtensionContext context, Throwable failure) {
        try {
            KubernetesEvidence.keep(get(), operator(), context, failure);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
