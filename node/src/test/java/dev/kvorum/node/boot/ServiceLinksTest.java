package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceLinksTest {
    @Test
    void allVariablesOfAServiceAreLinks() {
        Map<String, String> service = Map.of(
                "SERVER_SERVICE_HOST", "10.0.0.1",
                "SERVER_SERVICE_PORT", "80",
                "SERVER_SERVICE_PORT_HTTP", "80",
                "SERVER_PORT", "tcp://10.0.0.1:80",
                "SERVER_PORT_80_TCP", "tcp://10.0.0.1:80",
                "SERVER_PORT_80_TCP_PROTO", "tcp",
                "SERVER_PORT_80_TCP_PORT", "80",
                "SERVER_PORT_80_TCP_ADDR", "10.0.0.1");

        assertThat(ServiceLinks.in(service)).containsExactlyInAnyOrderElementsOf(service.keySet());
        assertThat(ServiceLinks.removedFrom(service)).isEmpty();
    }

    @Test
    void settingsStayAlsoBesideAServiceOfTheSameName() {
        Map<String, String> environment = Map.of(
                "KVORUM_PEER_PORT", "tcp://10.0.0.1:80",
                "KVORUM_PEER_TIMEOUT", "2s",
                "MANAGEMENT_SERVER_PORT", "8081",
                "SERVER_PORT", "8080",
                "KVORUM_DATA_DIR", "/data");

        assertThat(ServiceLinks.in(environment)).containsExactly("KVORUM_PEER_PORT");
        assertThat(ServiceLinks.removedFrom(environment))
                .containsEntry("SERVER_PORT", "8080")
                .hasSize(4);
    }

    /** Kubernetes adds no variable that the container sets itself, but all others of the service. */
    @Test
    void portThatAPersonSetStaysThoughAServiceHasItsName() {
        Map<String, String> environment = Map.of(
                "SERVER_PORT", "8443",
                "SERVER_SERVICE_HOST", "10.0.0.1",
                "SERVER_SERVICE_PORT", "80",
                "SERVER_PORT_80_TCP", "tcp://10.0.0.1:80",
                "SERVER_PORT_80_TCP_PORT", "80");

        assertThat(ServiceLinks.removedFrom(environment)).containsOnlyKeys("SERVER_PORT");
    }

    @Test
    void serviceIsKnownByEachOfItsPorts() {
        assertThat(ServiceLinks.in(Map.of("DNS_PORT_53_UDP", "udp://10.0.0.1:53", "DNS_PORT_53_UDP_ADDR", "10.0.0.1")))
                .hasSize(2);
        assertThat(ServiceLinks.in(Map.of("BROKER_URL", "tcp://10.0.0.1:80"))).isEmpty();
    }
}
