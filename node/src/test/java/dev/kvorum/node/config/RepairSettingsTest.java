package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class RepairSettingsTest {
    private static final Duration INTERVAL = Duration.ofHours(6);
    private static final Duration GRACE = Duration.ofDays(10);
    private static final DataSize RATE = DataSize.ofMegabytes(8);

    private static RepairSettings with(Duration interval, DataSize rate, int loadMax, Duration grace) {
        return Settings.of(RepairSettings.class)
                .with("interval", interval)
                .with("settling", Duration.ofSeconds(10))
                .with("rate", rate)
                .with("scanRate", RATE)
                .with("loadMax", loadMax)
                .with("tombstoneGrace", grace)
                .get();
    }

    @Test
    void intervalOfNothingIsAllowedAndAShortOneIsNot() {
        assertThatCode(() -> with(Duration.ZERO, RATE, 60, GRACE)).doesNotThrowAnyException();
        assertThatThrownBy(() -> with(Duration.ofMillis(999), RATE, 60, GRACE))
                .hasMessageContaining("kvorum.repair.interval");
    }

    @Test
    void refusalsNameTheOption() {
        assertThatThrownBy(() -> with(INTERVAL, DataSize.ofBytes(1), 60, GRACE))
                .hasMessageContaining("kvorum.repair.rate");
        assertThatThrownBy(() -> with(INTERVAL, RATE, 0, GRACE))
                .hasMessageContaining("kvorum.repair.load-max is 0, but must be from 1 to 100");
        assertThatThrownBy(() -> with(INTERVAL, RATE, 101, GRACE)).hasMessageContaining("kvorum.repair.load-max");
        assertThatThrownBy(() -> with(INTERVAL, RATE, 60, Duration.ZERO))
                .hasMessageContaining("kvorum.repair.tombstone-grace");
    }

    private static RepairSettings scrubbing(Duration interval, DataSize rate) {
        return Settings.of(RepairSettings.class)
                .with("scrubInterval", interval)
                .with("scrubRate", rate)
                .get();
    }

    @Test
    void scrubIsWeeklyUnlessSetOffOrWithinItsRange() {
        assertThat(Settings.of(RepairSettings.class).get().scrubInterval()).isEqualTo(Duration.ofDays(7));
        assertThatCode(() -> scrubbing(Duration.ZERO, RATE)).doesNotThrowAnyException();
        assertThatThrownBy(() -> scrubbing(Duration.ofMillis(999), RATE))
                .hasMessageContaining("kvorum.repair.scrub-interval");
        assertThatThrownBy(() -> scrubbing(Duration.ofDays(366), RATE))
                .hasMessageContaining("kvorum.repair.scrub-interval");
        assertThatThrownBy(() -> scrubbing(INTERVAL, DataSize.ofKilobytes(63)))
                .hasMessageContaining("kvorum.repair.scrub-rate");
    }
}
