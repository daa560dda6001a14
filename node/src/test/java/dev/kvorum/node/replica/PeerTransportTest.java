package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.netty.transport.NameResolverProvider;

class PeerTransportTest {
    /** A member that comes back elsewhere must be found, also where its name server lets an answer be kept for hours. */
    @Test
    void namesAreKnownForSecondsAtMost() {
        NameResolverProvider names = Objects.requireNonNull(
                PeerTransport.tcp(Duration.ofSeconds(1)).configuration().getNameResolverProvider());

        assertThat(names.cacheMaxTimeToLive()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
    }
}
