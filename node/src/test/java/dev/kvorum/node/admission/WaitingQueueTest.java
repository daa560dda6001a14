package dev.kvorum.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.admission.WaitingQueue.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class WaitingQueueTest {
    private final WaitingQueue queue = new WaitingQueue();
    private final List<String> begun = new ArrayList<>();

    private Waiting add(String name, long now) {
        List<Waiting> added = new ArrayList<>(1);
        var _ = Mono.<Boolean>create(turn -> added.add(queue.add(turn, now))).subscribe(let -> begun.add(name));
        return added.getFirst();
    }

    private void letInFirst() {
        queue.leave(Objects.requireNonNull(queue.first()), turn -> turn.success(true));
    }

    @Test
    void operationsLeaveInTheOrderOfTheirArrival() {
        add("first", 1);
        add("second", 2);
        assertThat(Objects.requireNonNull(queue.first()).since()).isEqualTo(1);

        letInFirst();
        assertThat(Objects.requireNonNull(queue.first()).since()).isEqualTo(2);
        letInFirst();

        assertThat(begun).containsExactly("first", "second");
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.first()).isNull();
    }

    @Test
    void operationWhoseClientHasGoneCountsNoMoreAndIsPassedOver() {
        Waiting gone = add("gone", 1);
        add("next", 2);

        queue.leave(gone, turn -> {});

        assertThat(queue.size()).isOne();
        letInFirst();
        assertThat(begun).containsExactly("next");
    }

    @Test
    void operationLeavesOnce() {
        Waiting one = add("one", 1);
        add("other", 2);

        queue.leave(one, turn -> turn.success(true));
        queue.leave(one, turn -> turn.success(true));

        assertThat(queue.size()).isOne();
        assertThat(begun).containsExactly("one");
    }
}
