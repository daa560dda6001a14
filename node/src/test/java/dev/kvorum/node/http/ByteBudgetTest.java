package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
    private static final int MAX = 1000;
    private static final int TAKERS = 3;
    private static final int ROUNDS = 100_000;

    private final ByteBudget budget = new ByteBudget(MAX);

    @Test
    void thereIsAsMuchAsItWasMadeWith() {
        assertThat(budget.take(MAX)).isTrue();
        assertThat(budget.take(1)).isFalse();
        assertThatThrownBy(() -> budget.require("here", 1)).isInstanceOf(RefusedRequestException.class);
        assertThatThrownBy(() -> budget.requireRoom(1)).isInstanceOf(RefusedRequestException.class);

        budget.giveBack(1);

        budget.requireRoom(1);
        budget.require("here", 1);
        assertThat(budget.taken()).isEqualTo(MAX);
    }

    /** What is refused was never counted: else the bound would look passed, and others be refused that fit. */
    @Test
    void refusalsAreNeitherSeenNorFeltByOthers() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(TAKERS + 1)) {
            Future<Long> highest = threads.submit(() -> {
                long seen = 0;
                while (!done.get()) {
                    seen = Math.max(seen, budget.taken());
                }
                return seen;
            });
            List<Future<Integer>> refused = IntStream.range(0, TAKERS)
                    .mapToObj(i -> threads.submit(this::takeALittleAndTooMuch))
                    .toList();
            try {
                for (Future<Integer> each : refused) {
                    assertThat(each.get()).as("refused though there was room").isZero();
                }
            } finally {
                done.set(true);
            }

            assertThat(highest.get()).isLessThanOrEqualTo(MAX);
        }
        assertThat(budget.taken()).isZero();
    }

    private int takeALittleAndTooMuch() {
        int refused = 0;
        for (int i = 0; i < ROUNDS; i++) {
            if (budget.take(MAX / TAKERS)) {
                budget.giveBack(MAX / TAKERS);
            } else {
                refused++;
            }
            assertThat(budget.take(MAX + 1)).isFalse();
        }
        return refused;
    }
}
