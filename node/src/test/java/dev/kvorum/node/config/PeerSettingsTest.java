package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class PeerSettingsTest {
    private static final long HEAP = Runtime.getRuntime().maxMemory();

    @Test
    void limitsThatAreNotSetFitTheHeap() {
        PeerSettings unset = Settings.of(PeerSettings.class).get();

        assertThat(unset.bodyBytes()).isLessThanOrEqualTo(HEAP / 8);
        assertThat(unset.accepted()).isEqualTo(Math.clamp(HEAP / (128 << 10), 16, 10_000));
    }

    @Test
    void limitsThatAreSetAreTakenAsTheyAre() {
        PeerSettings set = Settings.of(PeerSettings.class)
                .with("connectionsMax", 17)
                .with("bodies", DataSize.ofMegabytes(2))
                .get();

        assertThat(set.accepted()).isEqualTo(17);
        assertThat(set.bodyBytes()).isEqualTo(2 << 20);
    }

    @Test
    void limitOutOfRangeIsRefusedByName() {
        assertThatThrownBy(() -> Settings.of(PeerSettings.class)
                        .with("connectionsMax", 15)
                        .get())
                .hasMessage("kvorum.peer.connections-max is 15, but must be 0 or from 16 to 1000000");
    }

    @Test
    void memoryForBodiesThatNoReadWouldHaveRoomInIsRefused() {
        PeerSettings set = Settings.of(PeerSettings.class)
                .with("bodies", DataSize.ofMegabytes(3))
                .get();
        set.requireRoomFor(DataSize.ofKilobytes(1022));

        assertThatThrownBy(() -> set.requireRoomFor(DataSize.ofMegabytes(1)))
                .isInstanceOf(ContradictorySettingsException.class)
                .hasMessage("kvorum.http.value-max is 1048576B, but must be at most 1046528B, a third of"
                        + " kvorum.peer.bodies less 2048B (an eighth of the heap, unless set)");
    }
}
