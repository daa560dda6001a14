package dev.kvorum.node.clock;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What the clocks of a majority of the members say of this node's. A majority is more than half of all members, not only of those that were heard, whose clocks are near their
 * median.
 *
 * @param step what to do about a step of this node's wall clock
 * @param ahead how far the majority's steady clocks are ahead of this node's, in milliseconds; empty if there is no majority
 * @param wallAhead how far the majority's wall clocks are ahead of this node's, in milliseconds; empty as above
 */
record ClockVerdict(Step step, OptionalLong ahead, OptionalLong wallAhead) {
    /**
     * What is tolerated, in milliseconds, besides the errors of the readings.
     *
     * @param exact clocks that differ by no more show the same time
     * @param tolerated clocks that differ by no more can live with each other
     */
    record Limits(long exact, long tolerated) {}

    /** What to do about a step of the wall clock. */
    enum Step {
        /** A majority agrees with the wall clock: its time is taken over at once. */
        ADOPT,
        /** No majority is known, or the wall clock is off by less than is tolerated: it is taken over slowly. */
        APPROACH,
        /** The wall clock is off by more than is tolerated. */
        IGNORE
    }

    /**
     * Judges by what was heard.
     *
     * @param members of the topology, this node among them
     * @param ownStep how far this node's wall clock is ahead of its steady one, in milliseconds
     * @param limits of what is tolerated
     * @param heard of other members
     */
    static ClockVerdict of(int members, long ownStep, Limits limits, Collection<ClockReading> heard) {
        OptionalLong walls = median(members, ownStep, limits, heard, ClockReading::wallAhead);
        OptionalLong steady = median(members, 0, limits, heard, ClockReading::steadyAhead);
        if (walls.isEmpty()) {
            return new ClockVerdict(Step.APPROACH, steady, walls);
        }
        long wallAhead = walls.getAsLong() - ownStep;
        return new ClockVerdict(stepOf(Math.abs(wallAhead), limits, heard), steady, OptionalLong.of(wallAhead));
    }

    private static Step stepOf(long off, Limits limits, Collection<ClockReading> heard) {
        long error = heard.stream().mapToLong(ClockReading::error).max().orElse(0);
        if (off <= limits.exact + error) {
            return Step.ADOPT;
        }
        return off <= limits.tolerated + error ? Step.APPROACH : Step.IGNORE;
    }

    private static OptionalLong median(
            int members, long own, Limits limits, Collection<ClockReading> heard, ToLongFunction<ClockReading> clock) {
        List<Long> shown = Stream.concat(Stream.of(own), heard.stream().map(clock::applyAsLong))
                .sorted()
                .toList();
        long median = shown.get((shown.size() - 1) / 2);
        long near = heard.stream()
                .filter(reading -> Math.abs(clock.applyAsLong(reading) - median) <= limits.tolerated + reading.error())
                .count();
        if (Math.abs(own - median) <= limits.tolerated) {
            near++;
        }
        return 2 * near > members ? OptionalLong.of(median) : OptionalLong.empty();
    }
}
