package dev.kvorum.simulation.client;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * One client: one request after the other, each through any node, or mostly through the same. It gives up on an answer after a time, and then
 * does not know.
 */
public final class SimulatedClient {
    private final int number;
    private final String name;
    private final Cluster cluster;
    private final Habits habits;
    private final Chance chance;
    private final Recorder recorder;
    private final Timeline timeline;
    private String node;
    private long sent;
    private boolean stopped;

    /**
     * What all clients of a run do alike.
     *
     * @param patience how long each waits for an answer, in nanoseconds
     * @param loyalty how likely each stays with the same node, 0 to 1
     */
    public record Habits(Workload workload, long patience, double loyalty) {}

    /** @param number from 1; apart from that of every other client */
    public SimulatedClient(int number, Cluster cluster, Habits habits, Chance chance, Recorder recorder) {
        this.number = number;
        this.name = "c" + number;
        this.cluster = cluster;
        this.habits = habits;
        this.chance = chance;
        this.recorder = recorder;
        this.timeline = cluster.world().timeline();
        this.node = chance.oneOf(cluster.memberNames());
    }

    /** Begins to send requests. */
    public void start() {
        var _ = timeline.after(chance.exponential(habits.workload().thinkMean()), this::sendNext);
    }

    /** Sends no more. */
    public void stop() {
        stopped = true;
    }

    private void sendNext() {
        if (stopped) {
            return;
        }
        if (!chance.is(habits.loyalty())) {
            node = chance.oneOf(cluster.memberNames());
        }
        Workload.Draw draw = habits.workload().draw(chance, name + "." + (sent + 1));
        send(draw.request(), draw.saysQuorum(), this::start);
    }

    /** Reads these keys, one after the other, from all of so many replicas. */
    public void readAll(List<String> keys, int from) {
        node = chance.oneOf(cluster.memberNames());
        readNext(new ArrayDeque<>(keys), from);
    }

    private void readNext(Deque<String> keys, int from) {
        String key = keys.poll();
        if (key != null) {
            send(new Request(Kind.READ, Mode.QUORUM, key, null, from, from), true, () -> readNext(keys, from));
        }
    }

    /**
     * Writes these keys to all of so many replicas through each member, and reads them from all, one after the other; each until it is done.
     *
     * @param done called when all are done
     */
    public void useAll(List<String> keys, int from, Runnable done) {
        Deque<Runnable> uses = new ArrayDeque<>();
        for (String through : cluster.memberNames()) {
            for (String key : keys) {
                for (Kind kind : List.of(Kind.WRITE, Kind.READ)) {
                    uses.add(() -> sendUntilDone(kind, through, key, from, () -> next(uses, done)));
                }
            }
        }
        next(uses, done);
    }

    private static void next(Deque<Runnable> uses, Runnable done) {
        Runnable use = uses.poll();
        if (use == null) {
            done.run();
        } else {
            use.run();
        }
    }

    private void sendUntilDone(Kind kind, String through, String key, int from, Runnable done) {
        node = through;
        String value = kind == Kind.WRITE ? name + "." + (sent + 1) : null;
        send(new Request(kind, Mode.QUORUM, key, value, from, from), true, answer -> {
            if (answer.isOk()) {
                done.run();
            } else {
                var _ = timeline.after(
                        habits.workload().thinkMean(), () -> sendUntilDone(kind, through, key, from, done));
            }
        });
    }

    private void send(Request request, boolean saysQuorum, Runnable next) {
        send(request, saysQuorum, answer -> next.run());
    }

    private void send(Request request, boolean saysQuorum, Consumer<Answer> next) {
        sent++;
        Exchange exchange = new Exchange(request, node, next);
        cluster.network().send(name, node, "request", sent, request::toString, () -> exchange.arrive(saysQuorum));
    }

    /** A request on its way, and back. */
    private final class Exchange {
        private final Request request;
        private final String target;
        private final Consumer<Answer> next;
        private final long id = sent;
        private final long invoked = timeline.now();
        private final Timeline.Event impatience = timeline.after(habits.patience(), () -> end(Answer.unknown()));
        private int life;
        private boolean over;

        Exchange(Request request, String target, Consumer<Answer> next) {
            this.request = request;
            this.target = target;
            this.next = next;
        }

        void arrive(boolean saysQuorum) {
            life = cluster.machine(target).life();
            cluster.serve(target, request, saysQuorum, this::answer);
        }

        private void answer(Answer answer) {
            cluster.network().send(target, name, "answer", id, answer::toString, () -> end(answer));
        }

        private void end(Answer answer) {
            if (over) {
                return;
            }
            over = true;
            impatience.cancel();
            recorder.add(new Operation(number, target, life, request, answer, invoked, timeline.now()));
            next.accept(answer);
        }
    }
}
