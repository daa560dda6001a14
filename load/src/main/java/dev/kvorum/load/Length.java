package dev.kvorum.load;

import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.ScenarioLength;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the length of a stretch, as {@code 30s}. */
final class Length implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
        try {
            return ScenarioLength.parse(value);
        } catch (InvalidScenario e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
