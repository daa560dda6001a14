package dev.kvorum.node.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static reactor.core.publisher.Sinks.EmitFailureHandler.FAIL_FAST;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class SharedAnswerTest {
    private final AtomicInteger found = new AtomicInteger();

    @Test
    void thousandsThatAskTogetherShareOneAnswerAndItIsKeptForAWhile() {
        Sinks.One<String> slow = Sinks.one();
        Mono<String> shared = SharedAnswer.of(
                () -> {
                    found.incrementAndGet();
                    return slow.asMono();
                },
                Duration.ofHours(1));
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            var _ = shared.subscribe(answers::add);
        }
        assertThat(found).hasValue(1);

        slow.emitValue("answer", FAIL_FAST);

        assertThat(answers).hasSize(5000);
        assertThat(shared.block()).isEqualTo("answer");
        assertThat(found).hasValue(1);
    }

    @Test
    void failureIsNotKept() {
        Mono<Integer> shared = SharedAnswer.of(
                () -> Mono.fromSupplier(() -> {
                    if (found.incrementAndGet() == 1) {
                        throw new IllegalStateException("busy");
                    }
                    return found.get();
                }),
                Duration.ofHours(1));

        assertThatThrownBy(shared::block).hasMessage("busy");
        assertThat(shared.block()).isEqualTo(2);
    }

    @Test
    void answerIsFoundAnewWhenItIsNotFreshAnyMore() {
        Mono<Integer> shared = SharedAnswer.of(() -> Mono.fromSupplier(found::incrementAndGet), Duration.ZERO);

        assertThat(shared.block()).isOne();
        assertThat(shared.block()).isEqualTo(2);
    }
}
