package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** Checks of settings. Each refusal names the option, what it is and what it may be. */
final class Require {
    private Require() {}

    static void range(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw refusal(option, value, "from " + min + " to " + max);
        }
    }

    static void zeroOrRange(String option, long value, long min, long max) {
        if (value != 0 && (value < min || value > max)) {
            throw refusal(option, value, "0 or from " + min + " to " + max);
        }
    }

    static void range(String option, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw refusal(option, text(value), "from " + text(min) + " to " + text(max));
        }
    }

    static void range(String option, DataSize value, DataSize min, DataSize max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw refusal(option, value, "from " + min + " to " + max);
        }
    }

    static void zeroOrRange(String option, DataSize value, DataSize min, DataSize max) {
        if (value.toBytes() != 0 && (value.compareTo(min) < 0 || value.compareTo(max) > 0)) {
            throw refusal(option, value, "0 or from " + min + " to " + max);
        }
    }

    /** @param what the bound is, in words */
    static void atMost(String option, DataSize value, DataSize max, String what) {
        if (value.compareTo(max) > 0) {
            throw refusal(option, value, "at most " + max + ", " + what);
        }
    }

    private static IllegalArgumentException refusal(String option, Object value, String range) {
        return new IllegalArgumentException(option + " is " + value + ", but must be " + range);
    }

    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }
}
