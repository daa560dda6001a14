package dev.kvorum.load.scenario;

import java.time.Duration;

/** Lengths that are given on the command line instead of the scenario. */
public final class ScenarioLength {
    private static final int ROUNDS_MAX = 100;

    private ScenarioLength() {}

    /** @param name of the option, for the complaint */
    public static Duration parse(String name, String text) {
        return Fields.durationOf(text)
                .filter(duration -> !duration.isZero())
                .orElseThrow(() ->
                        new InvalidScenario(name + " must be a duration such as 30s or 5m, but is \"" + text + "\""));
    }

    public static int rounds(String name, String text) {
        if (!text.matches("[1-9][0-9]{0,2}") || Integer.parseInt(text) > ROUNDS_MAX) {
            throw new InvalidScenario(name + " must be a number from 1 to " + ROUNDS_MAX + ", but is \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }
}
