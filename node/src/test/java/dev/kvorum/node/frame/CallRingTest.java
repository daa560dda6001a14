package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.Mono;

class CallRingTest {
    private static Call call() {
        List<Call> made = new ArrayList<>();
        var _ = Mono.<ClientHttpResponse>create(
                        sink -> made.add(new Call(1, 1000, new byte[0], System::nanoTime, sink)))
                .subscribe();
        return made.getFirst();
    }

    @ParameterizedTest
    @CsvSource({"2,2", "3,2", "4096,4096", "5000,4096", "65536,65536"})
    void sizeIsRoundedDownToAPowerOfTwo(int callsMax, int size) {
        assertThat(new CallRing(callsMax).size()).isEqualTo(size);
    }

    @Test
    void callIsFoundByItsIdUntilItIsTakenOut() {
        CallRing ring = new CallRing(8);
        Call call = call();

        assertThat(ring.place(call)).isTrue();
        assertThat(ring.find(call.id())).isSameAs(call);
        assertThat(ring.find(call.id() + 8)).isNull(); // The same place, another call.
        assertThat(ring.inFlight()).isOne();

        assertThat(ring.remove(call)).isTrue();
        assertThat(ring.remove(call)).isFalse();
        assertThat(ring.find(call.id())).isNull();
        assertThat(ring.inFlight()).isZero();
    }

    @Test
    void everyPlaceIsTakenBeforeACallIsRefused() {
        CallRing ring = new CallRing(64);
        for (int i = 0; i < 64; i++) {
            assertThat(ring.place(call())).isTrue();
        }

        assertThat(ring.place(call())).isFalse();
        assertThat(ring.inFlight()).isEqualTo(64);
    }

    @Test
    void idsDifferThoughPlacesAreUsedAgain() {
        CallRing ring = new CallRing(4);
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            Call call = call();
            assertThat(ring.place(call)).isTrue();
            ring.remove(call);
            ids.add(call.id());
        }

        assertThat(ids).hasSize(1000);
    }

    /** A disk that stalls leaves many calls that hang in a row; those that come round to them find another place. */
    @Test
    void callsThatHangInARowRefuseNoOther() {
        CallRing ring = new CallRing(1024);
        for (int i = 0; i < 200; i++) {
            ring.place(call());
        }

        for (int i = 0; i < 5000; i++) {
            Call call = call();
            assertThat(ring.place(call)).isTrue();
            ring.remove(call);
        }
    }

    @Test
    void onlyWhatIsMeantIsTakenOut() {
        CallRing ring = new CallRing(8);
        List<Call> calls = List.of(call(), call(), call());
        calls.forEach(ring::place);
        List<Call> taken = new ArrayList<>();

        ring.removeIf(call -> call != calls.get(1), taken::add);

        assertThat(taken).containsExactlyInAnyOrder(calls.get(0), calls.get(2));
        assertThat(ring.find(calls.get(1).id())).isSameAs(calls.get(1));
    }

    @Test
    void callThatManyThreadsTakeOutIsTakenOutOnce() throws InterruptedException {
        CallRing ring = new CallRing(1024);
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            calls.add(call());
            ring.place(calls.getLast());
        }
        List<Call> taken = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    return;
                }
                calls.stream().filter(ring::remove).forEach(taken::add);
                ring.removeIf(call -> true, taken::add);
            }));
        }

        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(taken).hasSize(1000).doesNotHaveDuplicates();
        assertThat(ring.inFlight()).isZero();
    }
}
