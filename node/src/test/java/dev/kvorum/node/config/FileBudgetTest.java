package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class FileBudgetTest {
    @ParameterizedTest
    @ValueSource(longs = {448, 512, 1024, 4096, 20_000, 1 << 20, Long.MAX_VALUE})
    void whatIsDividedIsNeverMoreThanThereIs(long files) {
        FileBudget budget = budget(files, Map.of());

        assertThat(FileBudget.RESERVE + budget.database() + budget.clients() + budget.peers() + budget.management())
                .isLessThanOrEqualTo(files);
        assertThat(budget.clients()).isGreaterThanOrEqualTo(16);
        assertThat(budget.peers()).isGreaterThanOrEqualTo(16);
        assertThat(budget.management()).isBetween(16, 128);
    }

    @Test
    void smallLimitIsShared() {
        Map<String, String> heap = Map.of("kvorum.http.peer-connections-max", "100");

        assertThat(budget(1024, heap)).isEqualTo(new FileBudget(1024, 256, 348, 100, 64));
    }

    @Test
    void databaseThatKeepsAllFilesOpenHasHalf() {
        assertThat(budget(4096, Map.of("kvorum.storage.open-files", "-1")).database())
                .isEqualTo(2048);
    }

    @Test
    void settingsBeyondTheLimitAreRefusedWithTheirNames() {
        assertThatThrownBy(() -> budget(4096, Map.of("kvorum.http.connections-max", "8192")))
                .isInstanceOf(ContradictorySettingsException.class)
                .hasMessageContaining("4096 files (ulimit -n)")
                .hasMessageContaining("8192 for clients (kvorum.http.connections-max)");
    }

    @Test
    void tooFewFilesAreRefused() {
        assertThatThrownBy(() -> budget(256, Map.of())).isInstanceOf(ContradictorySettingsException.class);
    }

    private static FileBudget budget(long files, Map<String, String> options) {
        Binder binder = new Binder(new MapConfigurationPropertySource(options));
        return FileBudget.of(
                files,
                binder.bindOrCreate("kvorum.storage", StorageSettings.class),
                binder.bindOrCreate("kvorum.http", HttpSettings.class),
                binder.bindOrCreate("kvorum.management", ManagementSettings.class));
    }
}
