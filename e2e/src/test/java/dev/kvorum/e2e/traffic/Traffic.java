package dev.kvorum.e2e.traffic;

import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.record.Endpoint;
import dev.kvorum.e2e.record.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Clients that read and write at a steady rate until they are stopped. A request that a node does not serve is asked once more, of another
 * node; only one that is not served then either has failed.
 */
public final class Traffic implements AutoCloseable {
    private static final int SEED = 17;
    private static final Duration STOP_MAX = Duration.ofSeconds(60);
    /** Where a node is gone, clients of its address wait for two seconds at a time. */
    private static final Duration MORE_MAX = Duration.ofMinutes(3);

    private static final long SECOND_NS = 1_000_000_000L;

    private final Recorder recorder;
    private final TrafficPlan plan;
    private final Supplier<? extends List<? extends Endpoint>> coordinators;
    private final Tally tally = new Tally();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    private Traffic(Recorder recorder, TrafficPlan plan, Supplier<? extends List<? extends Endpoint>> coordinators) {
        this.recorder = recorder;
        this.plan = plan;
        this.coordinators = coordinators;
    }

    /** Through all nodes in turn. */
    public static Traffic start(Cluster cluster, TrafficPlan plan) {
        return start(cluster, plan, cluster::nodes);
    }

    /** @param coordinators the nodes that clients know, at any time */
    public static Traffic start(
            Cluster cluster, TrafficPlan plan, Supplier<? extends List<? extends Endpoint>> coordinators) {
        return start(cluster.recorder(), plan, coordinators);
    }

    /** @param coordinators the nodes that clients know, at any time; never none */
    public static Traffic start(
            Recorder recorder, TrafficPlan plan, Supplier<? extends List<? extends Endpoint>> coordinators) {
        Traffic traffic = new Traffic(recorder, plan, coordinators);
        for (int client = 0; client < plan.clients(); client++) {
            int number = client;
            traffic.threads.add(Thread.ofVirtual().start(() -> traffic.runOrTell(number)));
        }
        return traffic;
    }

    private void runOrTell(int number) {
        try {
            run(number);
        } catch (RuntimeException | Error e) {
            tally.addBroken(e);
        }
    }

    private void run(int number) {
        EntityClient client = new EntityClient(recorder);
        Random random = new Random(SEED + number);
        long pause = SECOND_NS * plan.clients() / plan.perSecond();
        long due = System.nanoTime() + random.nextLong(pause);
        for (int sequence = 0; !isOver; sequence++) {
            LockSupport.parkNanos(due - System.nanoTime());
            request(client, random, sequence, number);
            due = Math.max(due + pause, System.nanoTime());
        }
    }

    private void request(EntityClient client, Random random, int sequence, int number) {
        String key = plan.prefix() + random.nextInt(plan.keys());
        boolean isWrite = random.nextInt(100) < plan.writePercent();
        List<? extends Endpoint> nodes = coordinators.get();
        Endpoint first = nodes.get((number + sequence) % nodes.size());
        String request = (isWrite ? "PUT " : "GET ") + key + " through " + first;
        Reply reply = attempt(client, first, key, isWrite, sequence + "a");
        if (!reply.isServed()) {
            List<? extends Endpoint> others = othersThan(first, nodes);
            if (!others.isEmpty()) {
                tally.addRetry(request, first.id(), reply);
                Endpoint second = others.get((number + sequence) % others.size());
                request += " and then " + second;
                reply = attempt(client, second, key, isWrite, sequence + "b");
            }
        }
        tally.add(request, reply);
    }

    /** Of those that are known by now: one that was known before may be gone as well, where several are removed at a time. Where there is no other now, of those before. */
    private List<? extends Endpoint> othersThan(Endpoint node, List<? extends Endpoint> before) {
        List<? extends Endpoint> now = without(node, coordinators.get());
        return now.isEmpty() ? without(node, before) : now;
    }

    private static List<? extends Endpoint> without(Endpoint node, List<? extends Endpoint> nodes) {
        return nodes.stream().filter(other -> !other.id().equals(node.id())).toList();
    }

    private Reply attempt(EntityClient client, Endpoint node, String key, boolean isWrite, String sequence) {
        return isWrite
                ? client.put(node, key, value(client.fresh(sequence)), plan.quorum())
                : client.get(node, key, plan.quorum());
    }

    private String value(String name) {
        return name.length() >= plan.valueBytes() ? name : name + "-".repeat(plan.valueBytes() - name.length());
    }

    /** Blocks until so many more have come to an end. */
    public Traffic awaitMore(int requests) {
        int aim = tally.requests() + requests;
        Eventually.await(
                () -> requests + " more requests; there were " + tally, MORE_MAX, () -> tally.requests() >= aim);
        return this;
    }

    public Tally tally() {
        return tally;
    }

    /** Stops the clients, and answers with what came of their requests when the last has ended. */
    public Tally stop() {
        close();
        return tally;
    }

    @Override
    public void close() {
        isOver = true;
        for (Thread thread : threads) {
            try {
                if (!thread.join(STOP_MAX)) {
                    throw new AssertionError("A client goes on after " + STOP_MAX.toSeconds() + " s: " + tally);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }
}
