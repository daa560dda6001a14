package dev.kvorum.node.replica;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.config.PeerSettings.Transport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** Which connections count as opened. */
@Timeout(60)
class OpenedCountTest {
    @ParameterizedTest
    @EnumSource(Transport.class)
    void whatNobodyAcceptsIsNoConnection(Transport transport) {
        try (CalledMember member = new CalledMember(transport, 1, 1, key -> Mono.just(CalledMember.cell(10)))) {
            var _ = member.read("key").block();
            assertThat(member.opened()).isEqualTo(1);

            member.stop();
            for (int read = 0; read < 5; read++) {
                assertThat(member.read("key").block()).isInstanceOf(ReplicaFailure.class);
            }

            assertThat(member.opened()).isEqualTo(1);
        }
    }

    /** Pools know nothing before they try. */
    @ParameterizedTest
    @EnumSource(Transport.class)
    void framesKnowThatAWriteWouldFailWhereNobodyListens(Transport transport) {
        try (CalledMember member = new CalledMember(transport, 1, 1, key -> Mono.just(CalledMember.cell(10)))) {
            assertThat(member.isKnownToFail()).isFalse();
            var _ = member.read("key").block();

            member.stop();
            assertThat(member.read("key").block()).isInstanceOf(ReplicaFailure.class);

            boolean frames = transport == Transport.FRAMES;
            eventually("it is known, over frames", () -> member.isKnownToFail() == frames);
        }
    }
}
