package dev.kvorum.load;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the value of an option that is a whole number within bounds. */
abstract class WholeNumber implements ITypeConverter<Long> {
    private final long min;
    private final long max;

    private WholeNumber(long min, long max) {
        this.min = min;
        this.max = max;
    }

    @Override
    public Long convert(String value) {
        if (!value.matches("[0-9]{1,18}") || Long.parseLong(value) < min || Long.parseLong(value) > max) {
            throw new TypeConversionException("\"" + value + "\" is no whole number from " + min + " to " + max);
        }
        return Long.parseLong(value);
    }

    /** Requests a second. */
    static final class Rate extends WholeNumber {
        Rate() {
            super(1, 1_000_000);
        }
    }

    /** Rounds of a scenario. */
    static final class Rounds extends WholeNumber {
        Rounds() {
            super(1, 100);
        }
    }

    /** Of a run of chaos. */
    static final class Seed extends WholeNumber {
        Seed() {
            super(0, Long.MAX_VALUE);
        }
    }

    /** Nodes of a run of chaos. */
    static final class ChaosNodes extends WholeNumber {
        ChaosNodes() {
            super(3, 9);
        }
    }

    /** Operations a second of a run of chaos. */
    static final class ChaosRate extends WholeNumber {
        ChaosRate() {
            super(1, 5000);
        }
    }
}
