package dev.kvorum.node.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.clock.ClockWatch;
import dev.kvorum.node.clock.SteadyClock;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.heartbeat.HeartbeatBody.Answer;
import dev.kvorum.node.heartbeat.HeartbeatBody.Told;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.verification.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class HeartbeatTest {
    private static final Progress PROGRESS = new Progress(new UUID(1, 1), 7, 812);

    private final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2"));
    private final Deadlines deadlines = new Deadlines(() -> 0, () -> {});
    private final ClockWatch clocks =
            new ClockWatch(new SteadyClock(() -> 1000, deadlines::now), membership, deadlines, Duration.ofSeconds(10));
    private final List<String> reasons = new ArrayList<>();

    private void beat(byte[] answer) {
        Heartbeat heartbeat = Heartbeats.of(
                clocks,
                membership,
                (member, operation, epoch, body) -> Mono.just(new CallReply.Done(answer)),
                deadlines,
                reasons::add);
        heartbeat.beat().block();
    }

    @Test
    void memberIsToldWhereAnotherRemembersMoreOfItsDirectory() {
        beat(HeartbeatBody.encode(new Answer(1000, 1000, PROGRESS, 1, 1)));

        assertThat(reasons).singleElement().asString().contains("n2", "812");
    }

    @Test
    void memberIsToldNothingWhereOthersRememberLess() {
        beat(HeartbeatBody.encode(new Answer(1000, 1000, new Progress(new UUID(1, 1), 1, 1), 1, 1)));

        assertThat(reasons).isEmpty();
    }

    @Test
    void wrongAnswerIsPassedOver() {
        beat(new byte[] {1, 2, 3});

        assertThat(reasons).isEmpty();
    }

    @Test
    void bodiesSurviveTheWire() {
        Told told = new Told("n1", PROGRESS);

        assertThat(HeartbeatBody.decode(HeartbeatBody.encode(told))).isEqualTo(told);
        assertThatThrownBy(() -> HeartbeatBody.decode(new byte[32]))
                .isInstanceOf(MalformedCallException.class)
                .hasMessageContaining("names no member");
        assertThatThrownBy(() -> HeartbeatBody.decode(new byte[31]))
                .isInstanceOf(MalformedCallException.class)
                .hasMessageContaining("ends too early");
    }

    @Test
    void answersOfAnotherLengthAreRefused() {
        byte[] answer = HeartbeatBody.encode(new HeartbeatBody.Answer(1, 2, PROGRESS, 3, 4));

        assertThat(HeartbeatBody.decodeAnswer(answer, PROGRESS.incarnation()))
                .isEqualTo(new HeartbeatBody.Answer(1, 2, PROGRESS, 3, 4));
        for (int length : new int[] {answer.length - 1, answer.length + 1}) {
            assertThatThrownBy(() -> HeartbeatBody.decodeAnswer(Arrays.copyOf(answer, length), PROGRESS.incarnation()))
                    .isInstanceOf(MalformedCallException.class);
        }
    }
}
