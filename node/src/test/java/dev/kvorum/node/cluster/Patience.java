package dev.kvorum.node.cluster;

import java.util.Map;

/** What nodes of tests go by unless a test says otherwise: a machine that stands still for seconds is no reason to fail, a member that is dead is known at once all the same. */
final class Patience {
    /** Options, and their values. */
    static final Map<String, String> OPTIONS = Map.of(
            "--kvorum.peer.timeout", "15s", // Less than that of the clients of tests.
            "--kvorum.quorum.deadline", "15s",
            "--kvorum.http.burst", "10s");

    private Patience() {}

    /** Adds an option, {@code --name=value}, or replaces its value: of two values of one, Spring makes a list. */
    static void replace(Map<String, String> options, String option) {
        int equals = option.indexOf('=');
        options.put(option.substring(0, equals), option.substring(equals + 1));
    }
}
