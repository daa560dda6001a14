package dev.kvorum.simulation.node;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Life.Later;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Requests that the present process of a machine has taken. Each is answered once: by the process, or by its end. */
final class ClientRequests {
    private final String node;
    private final long patience;
    private final Bugs bugs;
    private final Set<Consumer<Answer>> waiting = new LinkedHashSet<>();

    /** @param patience in nanoseconds of the process: whatever the faults, an operation ends by its deadline, which is earlier */
    ClientRequests(String node, long patience, Bugs bugs) {
        this.node = node;
        this.patience = patience;
        this.bugs = bugs;
    }

    void serve(NodeProcess process, Request request, boolean saysQuorum, Consumer<Answer> answer) {
        Consumer<Answer> once = new Consumer<>() {
            @Override
            public void accept(Answer given) {
                if (waiting.remove(this)) {
                    answer.accept(given);
                }
            }
        };
        waiting.add(once);
        process.life().run(() -> begin(process, request, saysQuorum, once));
    }

    private void begin(NodeProcess process, Request request, boolean saysQuorum, Consumer<Answer> answer) {
        Later overdue = process.life()
                .after(patience, () -> bugs.add(node + "'s " + request + " had no outcome long after its deadline"));
        var _ = process.serve(request, saysQuorum)
                .doFinally(end -> overdue.cancel())
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
}
