package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class HintSettingsTest {
    private static HintSettings bind(Map<String, String> options) {
        return new Binder(new MapConfigurationPropertySource(options)).bindOrCreate("kvorum.hints", HintSettings.class);
    }

    @Test
    void noHintsAtAllCanBeAskedFor() {
        assertThat(bind(Map.of("kvorum.hints.bytes-max", "0")).bytesMax().toBytes())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "bytes-max,1KB",
        "age-max,1ms",
        "age-max,31d",
        "memory,1KB",
        "replay-writes,0",
        "replay-bytes,1KB",
        "replay-calls,0",
        "replay-calls,1025"
    })
    void valueOutOfRangeIsRefusedByTheNameOfItsOption(String option, String value) {
        assertThatThrownBy(() -> bind(Map.of("kvorum.hints." + option, value)))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kvorum.hints." + option);
    }

    @Test
    void hintsMustBeForgottenBeforeDeletionsAre() {
        HintSettings settings = bind(new HashMap<>());

        assertThatCode(() -> settings.requireShorterThan(settings.ageMax().plusMillis(1)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> settings.requireShorterThan(settings.ageMax()))
                .isInstanceOf(ContradictorySettingsException.class)
                .hasMessageContaining("kvorum.hints.age-max")
                .hasMessageContaining("kvorum.repair.tombstone-grace");
    }
}
