package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ReadSettingsTest {
    private static ReadSettings bind(Map<String, String> options) {
        return new Binder(new MapConfigurationPropertySource(options)).bindOrCreate("kvorum.read", ReadSettings.class);
    }

    @Test
    void readsHedgeUnlessTold() {
        assertThat(bind(new HashMap<>()))
                .isEqualTo(Settings.of(ReadSettings.class)
                        .with("fanOut", ReadSettings.FanOut.HEDGED)
                        .with("placement", ReadSettings.Placement.NEAR)
                        .with("hedgeDelayMin", Duration.ofMillis(1))
                        .with("hedgeDelayMax", Duration.ofMillis(20))
                        .with("hedgeBudget", 10)
                        .with("readRepair", ReadSettings.Repair.BACKGROUND)
                        .with("repairBudget", 10)
                        .get());
    }

    @Test
    void repairIsChosenByItsName() {
        assertThat(bind(Map.of("kvorum.read.read-repair", "blocking")).readRepair())
                .isEqualTo(ReadSettings.Repair.BLOCKING);
        assertThat(bind(Map.of("kvorum.read.read-repair", "off")).readRepair()).isEqualTo(ReadSettings.Repair.OFF);
    }

    @ParameterizedTest
    @CsvSource({
        "hedge-delay-min,999us",
        "hedge-delay-max,500us",
        "hedge-delay-max,11s",
        "hedge-budget,101",
        "hedge-budget,-1",
        "repair-budget,101"
    })
    void valueOutOfRangeIsRefusedByTheNameOfItsOption(String option, String value) {
        assertThatThrownBy(() -> bind(Map.of("kvorum.read." + option, value)))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kvorum.read." + option);
    }
}
