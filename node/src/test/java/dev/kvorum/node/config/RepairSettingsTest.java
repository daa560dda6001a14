package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class RepairSettingsTest {
    private static final Duration INTERVAL = Duration.ofHours(6);
    private static final Duration GRACE = Duration.ofDays(10);
    private static final DataSize RATE = DataSize.ofMegabytes(8);

    private static RepairSettings with(Duration interval, DataSize rate, Duration grace) {
        return new RepairSettings(interval, Duration.ofSeconds(10), rate, RATE, grace);
    }

    @Test
    void intervalOfNothingIsAllowedAndAShortOneIsNot() {
        assertThatCode(() -> with(Duration.ZERO, RATE, GRACE)).doesNotThrowAnyException();
        assertThatThrownBy(() -> with(Duration.ofMillis(999), RATE, GRACE))
                .hasMessageContaining("kvorum.repair.interval");
    }

    @Test
    void refusalsNameTheOption() {
        assertThatThrownBy(() -> with(INTERVAL, DataSize.ofBytes(1), GRACE)).hasMessageContaining("kvorum.repair.rate");
        assertThatThrownBy(() -> with(INTERVAL, RATE, Duration.ZERO))
                .hasMessageContaining("kvorum.repair.tombstone-grace");
    }
}
