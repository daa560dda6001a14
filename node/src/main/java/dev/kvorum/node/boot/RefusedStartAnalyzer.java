package dev.kvorum.node.boot;

import dev.kvorum.node.config.ContradictorySettingsException;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.topology.InvalidTopologyException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** A start that is refused ends with the reason and the remedy, not with a stack trace. */
final class RefusedStartAnalyzer implements FailureAnalyzer {
    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof DataDirectoryException refused) {
                return analysis(refused, refused.remedy());
            }
            if (e instanceof InvalidTopologyException refused) {
                return analysis(refused, "Correct the file, or name another with --kvorum.topology-file.");
            }
            if (e instanceof ContradictorySettingsException refused) {
                return analysis(refused, "Change one of the two.");
            }
        }
        return null;
    }

    private static FailureAnalysis analysis(Throwable e, String remedy) {
        return new FailureAnalysis("This node can't start: " + e.getMessage() + ".", remedy, e);
    }
}
