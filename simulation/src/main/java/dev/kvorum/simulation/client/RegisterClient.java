package dev.kvorum.simulation.client;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of linearizable operations: it reads a key, and as a rule writes it then, mostly under the condition that it has not changed. */
public final class RegisterClient {
    private static final int LAST_READS_MAX = 5;
    private static final long LAST_READS_PAUSE = 1_000_000_000;
    private static final double READS = 0.3;
    private static final double DELETES = 0.05;
    private static final double UNCONDITIONAL = 0.25;

    private final int number;
    private final String name;
    private final Cluster cluster;
    private final Habits habits;
    private final Chance chance;
    private final Recorder recorder;
    private final Timeline timeline;
    private long sent;
    private boolean stopped;

    /**
     * What all of these clients do alike.
     *
     * @param keys how many they share
     * @param from how many copies of a key there are
     * @param patience how long each waits for an answer, in nanoseconds
     * @param thinkMean how long each waits between two requests on average, in nanoseconds
     */
    public record Habits(int keys, int from, long patience, long thinkMean) {}

    /** @param number from 1; apart from that of every other client */
    public RegisterClient(int number, Cluster cluster, Habits habits, Chance chance, Recorder recorder) {
        this.number = number;
        this.name = "c" + number;
        this.cluster = cluster;
        this.habits = habits;
        this.chance = chance;
        this.recorder = recorder;
        this.timeline = cluster.world().timeline();
    }

    /** Begins to send requests. */
    public void start() {
        var _ = timeline.after(chance.exponential(habits.thinkMean()), this::readNext);
    }

    /** Sends no more. */
    public void stop() {
        stopped = true;
    }

    /**
     * Reads each key until it is answered, but not for ever.
     *
     * @param unanswered told of each key that is not
     */
    public void readAll(Consumer<String> unanswered) {
        readAll(0, LAST_READS_MAX, unanswered);
    }

    private void readAll(int key, int attempts, Consumer<String> unanswered) {
        if (key == habits.keys()) {
            return;
        }
        send(request(Kind.READ, "r" + key, null, null), answer -> {
            if (answer.isOk()) {
                readAll(key + 1, LAST_READS_MAX, unanswered);
            } else if (attempts > 1) {
                var _ = timeline.after(LAST_READS_PAUSE, () -> readAll(key, attempts - 1, unanswered));
            } else {
                unanswered.accept("r" + key);
                readAll(key + 1, LAST_READS_MAX, unanswered);
            }
        });
    }

    private void readNext() {
        if (!stopped) {
            String key = "r" + chance.from(0, habits.keys() - 1);
            send(request(Kind.READ, key, null, null), answer -> found(key, answer));
        }
    }

    private void found(String key, Answer answer) {
        if (stopped || !answer.isOk() || chance.is(READS)) {
            start();
            return;
        }
        boolean deletes = chance.is(DELETES);
        boolean isAbsent = answer.value() == null;
        String present = isAbsent ? Request.ABSENT : answer.version();
        String expected = chance.is(UNCONDITIONAL) ? null : present;
        String value = deletes ? null : name + "." + sent;
        send(request(deletes ? Kind.DELETE : Kind.WRITE, key, value, expected), ended -> start());
    }

    private Request request(Kind kind, String key, @Nullable String value, @Nullable String expected) {
        return new Request(kind, Mode.LINEARIZABLE, key, value, habits.from() / 2 + 1, habits.from(), expected);
    }

    private void send(Request request, Consumer<Answer> next) {
        sent++;
        String node = chance.oneOf(cluster.memberNames());
        Exchange exchange = new Exchange(request, node, next);
        cluster.network().send(name, node, "request", sent, request::toString, exchange::arrive);
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

        void arrive() {
            life = cluster.machine(target).life();
            cluster.serve(target, request, false, this::answer);
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
