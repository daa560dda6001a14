package dev.kvorum.node.replica;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.frame.LeakedBuffers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls that are cancelled harm no other. */
@Tag("check")
@Timeout(120)
class CancelledCallsTest {
    private static final int CALLS = 4_000;
    private static final int CALLS_AT_A_TIME = 64;
    private static final Duration LATE = Duration.ofMillis(2);
    private static final Cell SHORT = CalledMember.cell(100);
    private static final Cell LONG = CalledMember.cell(200_000);

    private static Mono<Cell> answer(String key) {
        Mono<Cell> cell = Mono.just(key.startsWith("long") ? LONG : SHORT);
        return key.endsWith("late") ? cell.delayElement(LATE) : cell;
    }

    @ParameterizedTest(name = "{0} event loops, seed {1}")
    @CsvSource({"1,1", "2,2"})
    void callsCancelledAtAnyMomentLoseNoBufferAndFailNoOther(int eventLoops, long seed) {
        Random random = new Random(seed);
        try (LeakedBuffers leaked = new LeakedBuffers()) {
            List<ReadReply> replies;

            try (CalledMember member = new CalledMember(eventLoops, CancelledCallsTest::answer)) {
                replies = Flux.range(0, CALLS)
                        .flatMap(i -> call(member, random), CALLS_AT_A_TIME)
                        .collectList()
                        .block();
                eventually("the member has forgotten all calls", () -> member.memory.taken() == 0);
            }

            assertThat(leaked.found()).isEmpty();
            assertThat(failuresAmong(Objects.requireNonNull(replies))).isEmpty();
        }
    }

    private static Stream<ReadReply> failuresAmong(List<ReadReply> replies) {
        return replies.stream().filter(ReplicaFailure.class::isInstance).distinct();
    }

    /** A call that is answered; or cancelled at once, when another has been answered, or by another thread at any moment. */
    private static Mono<ReadReply> call(CalledMember member, Random random) {
        Mono<ReadReply> read = member.read(key(random));
        return switch (random.nextInt(4)) {
            case 0 -> read;
            case 1 -> Flux.merge(read, member.read(key(random))).next();
            case 2 -> read.takeUntilOther(Mono.delay(Duration.ofNanos(random.nextLong(LATE.toNanos()))));
            default -> Mono.fromRunnable(() -> read.subscribe().dispose());
        };
    }

    private static String key(Random random) {
        return (random.nextInt(20) == 0 ? "long" : "short") + (random.nextBoolean() ? "-late" : "-prompt");
    }
}
