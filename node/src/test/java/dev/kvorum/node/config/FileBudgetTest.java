package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class FileBudgetTest {
    @ParameterizedTest
    @ValueSource(longs = {448, 512, 1024, 4096, 20_000, 1 << 20, Long.MAX_VALUE})
    void whatIsDividedIsNeverMoreThanThereIs(long files) {
        FileBudget budget = budget(files, Map.of());

        assertThat(sum(budget)).isLessThanOrEqualTo(files);
        assertThat(budget.clients()).isGreaterThanOrEqualTo(16);
        assertThat(budget.peers()).isGreaterThanOrEqualTo(16);
        assertThat(budget.management()).isBetween(16, 128);
    }

    private static long sum(FileBudget budget) {
        return FileBudget.RESERVE
                + budget.database()
                + budget.calls()
                + budget.clients()
                + budget.peers()
                + budget.management();
    }

    @ParameterizedTest
    @CsvSource({
        "kvorum.peer.connections, 0, 48", // As many as there are event loops.
        "kvorum.peer.connections, 8, 192",
    })
    void connectionsToTwiceAsManyMembersAreSetAside(String option, String value, int calls) {
        FileBudget budget = budget(8192, Map.of(option, value), 12);

        assertThat(budget.members()).isEqualTo(24);
        assertThat(budget.calls()).isEqualTo(calls);
        assertThat(sum(budget)).isLessThanOrEqualTo(8192);
    }

    @Test
    void connectionsToMembersBeyondTheLimitAreRefusedWithTheirSetting() {
        Map<String, String> many = Map.of("kvorum.peer.connections", "64");

        assertThatThrownBy(() -> budget(2048, many, 12))
                .isInstanceOf(ContradictorySettingsException.class)
                .hasMessageContaining("1536 for its connections to other members (kvorum.peer.connections");
    }

    @Test
    void smallLimitIsShared() {
        Map<String, String> heap = Map.of("kvorum.peer.connections-max", "100");

        assertThat(budget(1024, heap)).isEqualTo(new FileBudget(1024, 256, 4, 8, 355, 100, 65));
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
        return budget(files, options, 2);
    }

    private static FileBudget budget(long files, Map<String, String> options, int others) {
        Map<String, String> all = new HashMap<>(options);
        all.put("kvorum.http.event-loops", "2");
        Binder binder = new Binder(new MapConfigurationPropertySource(all));
        return FileBudget.of(
                files,
                binder.bindOrCreate("kvorum.storage", StorageSettings.class),
                binder.bindOrCreate("kvorum.http", HttpSettings.class),
                binder.bindOrCreate("kvorum.management", ManagementSettings.class),
                binder.bindOrCreate("kvorum.peer", PeerSettings.class),
                others);
    }
}
