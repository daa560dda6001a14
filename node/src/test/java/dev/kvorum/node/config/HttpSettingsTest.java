package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class HttpSettingsTest {
    private static final long HEAP = Runtime.getRuntime().maxMemory();

    private static HttpSettings settings(Map<String, String> options) {
        return new Binder(new MapConfigurationPropertySource(options)).bindOrCreate("kvorum.http", HttpSettings.class);
    }

    @Test
    void limitsThatAreNotSetFitTheHeap() {
        HttpSettings unset = settings(Map.of());

        assertThat(unset.bodyBytes()).isLessThanOrEqualTo(HEAP / 8);
        assertThat(unset.connections()).isEqualTo(Math.clamp(HEAP / (32 << 10), 16, 10_000));
        assertThat(unset.inFlightPerLoop() * unset.loops()).isBetween(1, Math.clamp(HEAP / (128 << 10), 64, 1024));
    }

    @Test
    void limitsThatAreSetAreTakenAsTheyAre() {
        HttpSettings set = settings(Map.of(
                "kvorum.http.connections-max", "16",
                "kvorum.http.in-flight-max", "64",
                "kvorum.http.event-loops", "2",
                "kvorum.http.value-max", "64KB",
                "kvorum.http.bodies", "1MB"));

        assertThat(set.connections()).isEqualTo(16);
        assertThat(set.inFlightPerLoop()).isEqualTo(32);
        assertThat(set.bodyBytes()).isEqualTo(1 << 20);
    }

    @Test
    void valuesThatNoReadWouldHaveRoomForAreRefused() {
        settings(Map.of("kvorum.http.value-max", "1022KB", "kvorum.http.bodies", "3MB"));

        assertThatThrownBy(() -> settings(Map.of("kvorum.http.value-max", "1MB", "kvorum.http.bodies", "3MB")))
                .hasRootCauseMessage(
                        "kvorum.http.value-max is 1048576B, but must be at most 1046528B, a third of"
                                + " kvorum.http.bodies less 2048B: raise that, or the heap, of which it is an eighth unless set");
    }

    @Test
    void limitOutOfRangeIsRefusedByName() {
        assertThatThrownBy(() -> settings(Map.of("kvorum.http.connections-max", "15")))
                .hasRootCauseMessage("kvorum.http.connections-max is 15, but must be 0 or from 16 to 1000000");
    }
}
