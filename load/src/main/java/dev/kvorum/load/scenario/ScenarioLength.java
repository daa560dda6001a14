package dev.kvorum.load.scenario;

import java.time.Duration;

/** Lengths that are given on the command line instead of the scenario. */
public final class ScenarioLength {
    private ScenarioLength() {}

    /** @throws InvalidScenario if the text is no length; the message quotes it */
    public static Duration parse(String text) {
        return Fields.durationOf(text)
                .filter(duration -> !duration.isZero())
                .orElseThrow(() -> new InvalidScenario("\"" + text + "\" is no duration such as 30s or 5m"));
    }
}
