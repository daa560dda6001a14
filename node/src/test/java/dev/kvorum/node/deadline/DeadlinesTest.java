package dev.kvorum.node.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlinesTest {
    private static final long MILLI = Deadlines.TICK;
    private static final long ROUND = Deadlines.SLOTS * MILLI;

    private final AtomicLong nanos = new AtomicLong(-7_000_000_000L); // As System.nanoTime: any origin.
    private final AtomicInteger woken = new AtomicInteger();
    private final Deadlines deadlines = new Deadlines(nanos::get, woken::incrementAndGet);
    private final List<String> expired = new ArrayList<>();

    private final class Named extends Deadline {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        protected void expired(long now) {
            expired.add(name);
        }
    }

    private long advance(long by) {
        nanos.addAndGet(by);
        return deadlines.sweep();
    }

    @Test
    void deadlineExpiresOnceAtItsTimeAndNotBefore() {
        deadlines.start(new Named("one"), 5 * MILLI);

        advance(5 * MILLI - 1);

        assertThat(expired).isEmpty();

        advance(1);
        advance(10 * MILLI);

        assertThat(expired).containsExactly("one");
    }

    @Test
    void deadlineInARoundToComeWaitsForItsRound() {
        deadlines.start(new Named("far"), 3 * ROUND + 5 * MILLI);

        for (int i = 0; i < 3; i++) {
            advance(ROUND);
        }

        assertThat(expired).isEmpty();

        advance(5 * MILLI);

        assertThat(expired).containsExactly("far");
    }

    @Test
    void deadlineThatHasPassedWhenItIsStartedExpiresAtTheNextSweep() {
        advance(10 * MILLI);

        deadlines.start(new Named("past"), 2 * MILLI);
        deadlines.sweep();

        assertThat(expired).containsExactly("past");
    }

    @Test
    void sweepThatComesRoundsTooLateMissesNone() {
        for (int i = 1; i <= 3000; i++) {
            deadlines.start(new Named("d" + i), i * MILLI);
        }

        advance(4 * ROUND);

        assertThat(expired).hasSize(3000);
        assertThat(deadlines.sweep()).isEqualTo(Deadlines.NEVER);
    }

    @Test
    void stoppedDeadlineNeverExpiresAndIsForgotten() {
        Named one = new Named("one");
        Named two = new Named("two");
        Named three = new Named("three");
        List.of(one, two, three).forEach(deadline -> deadlines.start(deadline, 5 * MILLI));

        deadlines.stop(two);
        deadlines.stop(two);

        assertThat(two.before).isNull();
        assertThat(two.after).isNull();
        assertThat(two.slot).isNull();

        advance(5 * MILLI);

        assertThat(expired).containsExactlyInAnyOrder("one", "three");
    }

    @Test
    void deadlineThatIsStartedAgainMoves() {
        Named one = new Named("one");
        deadlines.start(one, 5 * MILLI);
        deadlines.start(one, 9 * MILLI);

        advance(8 * MILLI);

        assertThat(expired).isEmpty();

        advance(MILLI);

        assertThat(expired).containsExactly("one");
    }

    @Test
    void sweeperIsToldHowLongItMaySleep() {
        assertThat(deadlines.sweep()).isEqualTo(Deadlines.NEVER);

        deadlines.start(new Named("one"), 5 * MILLI + 1);

        assertThat(deadlines.sweep()).isEqualTo(6 * MILLI); // The end of its tick.
        assertThat(advance(2 * MILLI)).isEqualTo(4 * MILLI);
    }

    @Test
    void sweeperIsWokenOnlyByWhatItWouldComeTooLateFor() {
        deadlines.sweep();
        deadlines.start(new Named("first"), 50 * MILLI);

        assertThat(woken).hasValue(1);

        deadlines.sweep();
        deadlines.start(new Named("later"), 60 * MILLI);

        assertThat(woken).hasValue(1);

        deadlines.start(new Named("sooner"), 20 * MILLI);

        assertThat(woken).hasValue(2);
    }

    /** The sweeper may have looked already into the slot that it goes to. */
    @Test
    void sweeperIsWokenByWhatIsStartedWhileItSweeps() {
        deadlines.start(
                new Deadline() {
                    @Override
                    protected void expired(long now) {
                        deadlines.start(new Named("next"), now + MILLI);
                    }
                },
                MILLI);
        deadlines.sweep();
        int before = woken.get();

        advance(2 * MILLI);

        assertThat(woken).hasValue(before + 1);
    }

    @Test
    void deadlineThatEndsInABugDoesNotKeepTheOthersFromExpiring() {
        deadlines.start(new Named("one"), MILLI);
        deadlines.start(throwing(new IllegalStateException("as the test says")), MILLI);
        deadlines.start(throwing(new AssertionError("as the test says")), MILLI);
        deadlines.start(new Named("two"), MILLI);

        advance(MILLI);

        assertThat(expired).containsExactlyInAnyOrder("one", "two");
    }

    private static Deadline throwing(Throwable bug) {
        return new Deadline() {
            @Override
            protected void expired(long now) {
                if (bug instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) bug;
            }
        };
    }

    @Test
    void afterCompletesAtItsTimeAndIsForgottenWhenCancelled() {
        List<String> ends = new ArrayList<>();
        var _ = deadlines.after(2 * MILLI).subscribe(null, null, () -> ends.add("waited"));
        var cancelled = deadlines.after(2 * MILLI).subscribe(null, null, () -> ends.add("cancelled"));
        cancelled.dispose();

        advance(MILLI);
        assertThat(ends).isEmpty();
        advance(2 * MILLI);

        assertThat(ends).containsExactly("waited");
    }

    /** Each thread starts, moves and stops deadlines of its own while another sweeps: in the end each has expired or was stopped. */
    @Test
    void noDeadlineIsLostWhileOthersSweep() throws InterruptedException {
        long seed = System.nanoTime();
        AtomicInteger pending = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Random random = new Random(seed + t);
            threads.add(Thread.startVirtualThread(() -> startAndStop(random, pending)));
        }

        while (threads.stream().anyMatch(Thread::isAlive)) {
            advance(MILLI / 3);
            Thread.onSpinWait();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        advance(3 * ROUND);

        assertThat(pending).as("seed " + seed).hasValue(0);
        assertThat(deadlines.sweep()).as("seed " + seed).isEqualTo(Deadlines.NEVER);
    }

    private void startAndStop(Random random, AtomicInteger pending) {
        for (int i = 0; i < 20_000; i++) {
            AtomicInteger open = new AtomicInteger(1);
            pending.incrementAndGet();
            Deadline deadline = new Deadline() {
                @Override
                protected void expired(long now) {
                    pending.addAndGet(-open.getAndSet(0));
                }
            };
            deadlines.start(deadline, deadlines.now() + random.nextLong(2 * ROUND) / (1 + random.nextInt(2000)));
            if (random.nextBoolean()) {
                deadlines.start(deadline, deadlines.now() + random.nextLong(3 * MILLI));
            }
            if (random.nextInt(4) > 0) {
                deadlines.stop(deadline);
                pending.addAndGet(-open.getAndSet(0));
            }
        }
    }
}
