package dev.kvorum.node.clock;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What the clocks of a majority of the members say of this node's. A majority is more than half of all members, not only of those that were heard; clocks that differ by less
 * than a tolerance agree.
 *
 * @param step what to do about a step of this node's wall clock
 * @param ahead how far the majority's steady clocks are ahead of this node's, in milliseconds; empty if no majority was heard, or none agrees
 * @param wallAhead how far the majority's wall clocks are ahead of this node's, in milliseconds; empty as above
 */
record ClockVerdict(Step step, OptionalLong ahead, OptionalLong wallAhead) {
    /** What to do about a step of the wall clock. */
    enum Step {
        /** A majority agrees with the wall clock: its time is taken over at once. */
        ADOPT,
        /** No majority is known: it is taken over slowly. */
        APPROACH,
        /** A majority agrees about another time. */
        IGNORE
    }

    /**
     * Judges by what was heard.
     *
     * @param members of the topology, this node among them
     * @param ownStep how far this node's wall clock is ahead of its steady one, in milliseconds
     * @param tolerance by how much clocks that agree may differ, in milliseconds, but for the errors of their readings
     * @param heard of other members
     */
    static ClockVerdict of(int members, long ownStep, long tolerance, Collection<ClockReading> heard) {
        OptionalLong walls = agreed(members, ownStep, tolerance, heard, ClockReading::wallAhead);
        boolean isWithThem = walls.isPresent() && agree(ownStep, walls.getAsLong(), tolerance, heard);
        Step step = walls.isEmpty() ? Step.APPROACH : isWithThem ? Step.ADOPT : Step.IGNORE;
        OptionalLong wallAhead =
                walls.isPresent() ? OptionalLong.of(walls.getAsLong() - ownStep) : OptionalLong.empty();
        return new ClockVerdict(step, agreed(members, 0, tolerance, heard, ClockReading::steadyAhead), wallAhead);
    }

    /** This node's clock is as exact as it is read, but those it is compared with are not. */
    private static boolean agree(long own, long majority, long tolerance, Collection<ClockReading> heard) {
        long error = heard.stream().mapToLong(ClockReading::error).max().orElse(0);
        return Math.abs(own - majority) <= tolerance + error;
    }

    /** The median, if a majority of all members is near it. */
    private static OptionalLong agreed(
            int members, long own, long tolerance, Collection<ClockReading> heard, ToLongFunction<ClockReading> clock) {
        List<Long> shown = Stream.concat(Stream.of(own), heard.stream().map(clock::applyAsLong))
                .sorted()
                .toList();
        long median = shown.get((shown.size() - 1) / 2);
        long near = heard.stream()
                .filter(reading -> Math.abs(clock.applyAsLong(reading) - median) <= tolerance + reading.error())
                .count();
        if (Math.abs(own - median) <= tolerance) {
            near++;
        }
        return 2 * near > members ? OptionalLong.of(median) : OptionalLong.empty();
    }
}
