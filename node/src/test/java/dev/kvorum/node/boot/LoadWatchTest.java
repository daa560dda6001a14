package dev.kvorum.node.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class LoadWatchTest {
    private static final Duration PERIOD = Duration.ofMillis(LoadWatch.PERIOD_MILLIS);

    private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();
    private final AtomicInteger looked = new AtomicInteger();
    private final LoadWatch watch = new LoadWatch(() -> looked.incrementAndGet() / 10.0, scheduler);
    private final List<Double> told = new ArrayList<>();

    @AfterEach
    void close() {
        watch.close();
    }

    private void pass(int periods) {
        scheduler.advanceTimeBy(PERIOD.multipliedBy(periods));
    }

    @Test
    void nobodyLooksWhileNobodyNeedsIt() {
        AtomicBoolean needsIt = new AtomicBoolean();
        watch.follow(needsIt::get, told::add);

        pass(10);
        assertThat(looked).hasValue(0);

        needsIt.set(true);
        pass(2);
        assertThat(told).containsExactly(0.1, 0.2);

        needsIt.set(false);
        pass(10);
        assertThat(told).hasSize(2);
        assertThat(looked).hasValue(2);
    }

    @Test
    void allAreToldWhatOneNeedsAndItIsReadOnce() {
        List<Double> other = new ArrayList<>();
        watch.follow(() -> false, told::add);
        watch.follow(() -> true, other::add);
        watch.follow(() -> true, _ -> {});

        pass(3);

        assertThat(told).containsExactly(0.1, 0.2, 0.3).isEqualTo(other);
        assertThat(looked).hasValue(3);
    }

    @Test
    void closedItLooksNoMore() {
        watch.follow(() -> true, told::add);
        watch.close();

        pass(3);

        assertThat(told).isEmpty();
    }
}
