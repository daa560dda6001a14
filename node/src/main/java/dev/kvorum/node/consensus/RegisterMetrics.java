package dev.kvorum.node.consensus;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** Rounds of consensus, and what else linearizable operations take. Any thread. */
public final class RegisterMetrics {
    /** How a round ended. */
    enum Round {
        /** A new cell was chosen and committed. */
        CHANGED,
        /** What another round had left half-way was finished, and nothing changed. */
        FINISHED,
        /** The condition did not hold, and nothing needed to be finished. */
        UNCHANGED,
        /** Another round had promised more. */
        OUTBID,
        /** There was no majority, or it went by another epoch. */
        FAILED
    }

    private final MeterRegistry meters;
    private final Map<Round, Counter> rounds = new EnumMap<>(Round.class);
    private final Counter readsWrittenBack;
    private final Counter settled;
    private final Counter forgotten;

    public RegisterMetrics(MeterRegistry meters) {
        this.meters = meters;
        for (Round round : Round.values()) {
            rounds.put(
                    round,
                    Counter.builder("kvorum.register.rounds")
                            .description("Rounds of consensus about one key, by how they ended")
                            .tag("outcome", round.name().toLowerCase(Locale.ROOT))
                            .register(meters));
        }
        this.readsWrittenBack = counter(
                meters,
                "kvorum.register.reads.written.back",
                "Linearizable reads that had to bring the newest cell to a majority first");
        this.settled = counter(
                meters, "kvorum.register.settled", "Rounds of others, left half-way, that this node has finished");
        this.forgotten =
                counter(meters, "kvorum.register.forgotten", "Rows of registers that were not needed any more");
    }

    private static Counter counter(MeterRegistry meters, String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    /** Shows how many rows there are, and how many of them may be open. */
    void watch(LongSupplier rows, LongSupplier open) {
        Gauge.builder("kvorum.register.rows", rows::getAsLong)
                .description("Rows of registers, as the last walk through them has found")
                .register(meters);
        Gauge.builder("kvorum.register.open", open::getAsLong)
                .description("Registers of which it is not known yet whether what they accepted was chosen")
                .register(meters);
    }

    void round(Round outcome) {
        var counter = rounds.get(outcome);
        if (counter != null) {
            counter.increment();
        }
    }

    void readWrittenBack() {
        readsWrittenBack.increment();
    }

    void settled() {
        settled.increment();
    }

    void forgotten() {
        forgotten.increment();
    }
}
