package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockSettingsTest {
    @Test
    void versionsOfANodeThatStartsAgainMustNotBeTooFarAheadForOthers() {
        ClockSettings settings = Settings.of(ClockSettings.class)
                .with("aheadMax", Duration.ofMillis(400))
                .get();

        assertThatCode(() -> settings.requireRoomFor(Duration.ofMillis(100))).doesNotThrowAnyException();
        assertThatThrownBy(() -> settings.requireRoomFor(Duration.ofMillis(101)))
                .isInstanceOf(ContradictorySettingsException.class)
                .hasMessageContaining("kvorum.storage.sync-interval")
                .hasMessageContaining("kvorum.clock.ahead-max");
    }
}
