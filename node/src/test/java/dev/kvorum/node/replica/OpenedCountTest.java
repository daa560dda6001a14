package dev.kvorum.node.replica;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** Which connections count as opened. */
@Timeout(60)
class OpenedCountTest {
    @Test
    void whatNobodyAcceptsIsNoConnection() {
        try (CalledMember member = new CalledMember(1, key -> Mono.just(CalledMember.cell(10)))) {
            var _ = member.read("key").block();
            assertThat(member.opened()).isEqualTo(1);

            member.stop();
            for (int read = 0; read < 5; read++) {
                assertThat(member.read("key").block()).isInstanceOf(ReplicaFailure.class);
            }

            assertThat(member.opened()).isEqualTo(1);
        }
    }

    @Test
    void writeIsKnownToFailWhereNobodyListens() {
        try (CalledMember member = new CalledMember(1, key -> Mono.just(CalledMember.cell(10)))) {
            assertThat(member.isKnownToFail()).isFalse();
            var _ = member.read("key").block();

            member.stop();
            assertThat(member.read("key").block()).isInstanceOf(ReplicaFailure.class);

            eventually("it is known", member::isKnownToFail);
        }
    }
}
