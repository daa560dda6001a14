package dev.kvorum.simulation.node;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.simulation.world.ProcessLife.Later;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Requests that the present process of a machine has taken. Each is answered once: by the process, or by its end. */
final class ClientRequests {
    private final String node;
    private final long deadline;
    private final Bugs bugs;
    private final Set<Consumer<Answer>> waiting = new LinkedHashSet<>();

    /** @param deadline in nanoseconds of the process: whatever the faults, an operation ends by then, unless the process is frozen */
    ClientRequests(String node, long deadline, Bugs bugs) {
        this.node = node;
        this.deadline = deadline;
        this.bugs = bugs;
    }

    /** @param outcome asked for within that life; never empty, never an error */
    void serve(ProcessLife life, Request request, Mono<Answer> outcome, Consumer<Answer> answer) {
        Consumer<Answer> once = new Consumer<>() {
            @Override
            public void accept(Answer given) {
                if (waiting.remove(this)) {
                    answer.accept(given);
                }
            }
        };
        waiting.add(once);
        life.run(() -> begin(life, request, outcome, once));
    }

    private void begin(ProcessLife life, Request request, Mono<Answer> outcome, Consumer<Answer> answer) {
        Watch watch = new Watch(life, request);
        var _ = outcome.doFinally(end -> watch.end())
                .subscribe(
                        answer,
                        error -> bugs.add(node + "'s " + request + " ended in an error, and not in an outcome", error));
    }

    /** The process has ended, and the system has closed its connections. */
    void hangUp() {
        List<Consumer<Answer>> left = List.copyOf(waiting);
        waiting.clear();
        left.forEach(client -> client.accept(Answer.unknown()));
    }

    /** The machine has ended: they wait until they lose patience. */
    void forget() {
        waiting.clear();
    }

    /** Whether a request has its outcome once it should have had it for as long as it may take. */
    private final class Watch {
        private final ProcessLife life;
        private final Request request;
        private @Nullable Later next;

        Watch(ProcessLife life, Request request) {
            this.life = life;
            this.request = request;
            lookIn(2 * deadline);
        }

        private void lookIn(long nanos) {
            next = life.after(nanos, this::look);
        }

        // What a process missed while it was frozen happens when it goes on, but not in that very instant.
        private void look() {
            long missing = deadline - life.runsFor();
            if (missing > 0) {
                lookIn(missing);
            } else {
                bugs.add(node + "'s " + request + " had no outcome long after its deadline");
            }
        }

        void end() {
            if (next != null) {
                next.cancel();
            }
        }
    }
}
