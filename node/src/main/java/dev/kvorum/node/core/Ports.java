package dev.kvorum.node.core;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.replica.Peers;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import reactor.core.scheduler.Scheduler;

/**
 * All by which a running node touches the world, beside its directory and its store.
 *
 * @param wallMillis milliseconds since 1970
 * @param random any thread may ask it
 * @param background runs what may block
 * @param end ends this node at once, for a reason in whole sentences: its supervisor starts it again
 */
public record Ports(
        Peers peers,
        Deadlines deadlines,
        LongSupplier wallMillis,
        RandomGenerator random,
        Scheduler background,
        Load load,
        MeterRegistry meters,
        Consumer<String> end) {}
