package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class SettingsTest {
    @Test
    void settingsThatAreNotNamedHaveTheirDefaults() {
        PeerSettings settings = Settings.of(PeerSettings.class)
                .with("callsMax", 8)
                .with("bytesMax", DataSize.ofMegabytes(2))
                .get();

        assertThat(settings.callsMax()).isEqualTo(8);
        assertThat(settings.bytesMax()).isEqualTo(DataSize.ofMegabytes(2));
        assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void settingsThatAreNotNamedStayAsTheyWere() {
        PeerSettings former =
                Settings.of(PeerSettings.class).with("callsMax", 8).get();

        assertThat(Settings.like(former).with("connections", 3).get())
                .isEqualTo(Settings.of(PeerSettings.class)
                        .with("callsMax", 8)
                        .with("connections", 3)
                        .get());
    }

    @Test
    void nameThatThereIsNotIsRefused() {
        Settings<PeerSettings> settings = Settings.of(PeerSettings.class);

        assertThatThrownBy(() -> settings.with("calls", 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("PeerSettings has no calls, but [timeout, ");
    }

    @Test
    void valueOutOfRangeOrOfAnotherTypeIsRefused() {
        Settings<PeerSettings> outOfRange = Settings.of(PeerSettings.class).with("callsMax", 1);
        Settings<PeerSettings> anotherType = Settings.of(PeerSettings.class).with("callsMax", "1");

        assertThatThrownBy(outOfRange::get).hasMessageContaining("kvorum.peer.calls-max");
        assertThatThrownBy(anotherType::get).isInstanceOf(IllegalArgumentException.class);
    }
}
