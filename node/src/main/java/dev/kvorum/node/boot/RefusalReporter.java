package dev.kvorum.node.boot;

import dev.kvorum.topology.text.ControlCharacters;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Writes why a start is refused, and the remedy, on one line of standard error: the only one there, as logs go to standard output. */
final class RefusalReporter implements FailureAnalysisReporter {
    @Override
    public void report(FailureAnalysis analysis) {
        String refusal = analysis.getDescription() + " " + analysis.getAction();
        System.err.println(ControlCharacters.escaped(refusal.strip().replaceAll("\\s+", " "), ""));
    }
}
