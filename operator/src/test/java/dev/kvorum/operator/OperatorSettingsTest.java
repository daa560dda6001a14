package dev.kvorum.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorSettingsTest {
    @Test
    void withoutAnythingItRunsAloneAndLooksEverywhere() {
        OperatorSettings settings = OperatorSettings.of(Map.of());

        assertThat(settings.namespaces()).isEmpty();
        assertThat(settings.home()).isEmpty();
        assertThat(settings.lease()).isEmpty();
        assertThat(settings.managementPort()).isEqualTo(8081);
    }

    @Test
    void namespacesAreAListWithCommas() {
        assertThat(OperatorSettings.of(Map.of("KVORUM_OPERATOR_WATCH_NAMESPACES", "shop, other"))
                        .namespaces())
                .containsExactlyInAnyOrder("shop", "other");
    }

    @Test
    void itKnowsItsOwnNamespaceAlsoWhereItRunsAlone() {
        assertThat(OperatorSettings.of(Map.of("KVORUM_OPERATOR_NAMESPACE", "system"))
                        .home())
                .contains("system");
    }

    @Test
    void aLeaseNeedsToKnowWhoItIs() {
        assertThatThrownBy(() -> OperatorSettings.of(
                        Map.of("KVORUM_OPERATOR_LEASE", "kvorum-operator", "KVORUM_OPERATOR_NAMESPACE", "system")))
                .hasMessageContaining("KVORUM_OPERATOR_POD is not set");
    }

    @Test
    void aPortThatIsNoneIsNamed() {
        assertThatThrownBy(() -> OperatorSettings.of(Map.of("KVORUM_OPERATOR_MANAGEMENT_PORT", "many")))
                .hasMessage("KVORUM_OPERATOR_MANAGEMENT_PORT is \"many\", but must be a port from 0 to 65535");
    }

    /** Of services called as the settings begin. */
    @Test
    void variablesThatTellOfServicesAreNoSettings() {
        String address = "tcp://10.0.0.1:80";

        OperatorSettings settings = OperatorSettings.of(Map.of(
                "KVORUM_OPERATOR_MANAGEMENT_PORT",
                address,
                "KVORUM_OPERATOR_PORT",
                address,
                "KVORUM_OPERATOR_MANAGEMENT_PORT_80_TCP",
                address,
                "KVORUM_OPERATOR_MANAGEMENT_PORT_80_TCP_PORT",
                "80",
                "KVORUM_OPERATOR_LEASE",
                "udp://10.0.0.1:53",
                "KVORUM_OPERATOR_WATCH_NAMESPACES",
                "a"));

        assertThat(settings.managementPort()).isEqualTo(8081);
        assertThat(settings.lease()).isEmpty();
        assertThat(settings.namespaces()).containsExactly("a");
    }

    /** Somebody may have taken it for a setting. */
    @Test
    void variableThatTellsOfAServiceIsSaidToBeIgnored() {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, UTF_8)); // Loggers ask for it each time they write.
        try {
            var _ = OperatorSettings.of(Map.of("KVORUM_OPERATOR_MANAGEMENT_PORT", "tcp://10.0.0.1:80"));
        } finally {
            System.setErr(before);
        }

        assertThat(log.toString(UTF_8))
                .contains("[WARN]", "KVORUM_OPERATOR_MANAGEMENT_PORT=tcp://10.0.0.1:80 is ignored");
    }
}
