package dev.kvorum.node.replica;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** How long a call takes at most whose request has less time than any call. */
@Timeout(60)
class CallTimeTest {
    private static final Duration LEFT = Duration.ofMillis(300);
    private static final Duration LONG_BEFORE_ANY_CALL_ENDS = CalledMember.TIMEOUT.dividedBy(2);

    @Test
    void callEndsWithTheTimeThatItsRequestHasLeftAndTheMemberForgetsIt() {
        try (CalledMember member = new CalledMember(1, key -> Mono.never())) {
            assertThat(member.read("cart-7", LEFT).block(LONG_BEFORE_ANY_CALL_ENDS))
                    .isEqualTo(new ReplicaFailure("n2", Reason.TIMED_OUT, "no answer within 300 ms"));
            eventually("the member has forgotten the call", () -> member.memory.taken() == 0);
        }
    }
}
