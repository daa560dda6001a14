package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReadReply.Absent;
import dev.kvorum.node.replica.ReadReply.Found;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadTallyTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Quorum TWO_OF_THREE = new Quorum(2, 3);
    private static final int EXPIRY_OFFSET = 20;
    private static final long NOW = 1000;

    private final ReadTally tally = new ReadTally(TWO_OF_THREE);

    private static Cell value(long time) {
        return Draft.ofValue(new byte[] {(byte) time}).stamp(KEY, new Version(time, 1), 3);
    }

    private static Cell expiring(long time, long expiry) {
        byte[] bytes = value(time).bytes().clone();
        ByteBuffer.wrap(bytes).putLong(EXPIRY_OFFSET, expiry);
        return Cell.decode(bytes);
    }

    private static Cell tombstone(long time) {
        return Draft.tombstone().stamp(KEY, new Version(time, 1), 3);
    }

    private static ReplicaFailure failure(String member, Reason reason) {
        return new ReplicaFailure(member, reason, "as the test says");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 16);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void newestCellWinsWhateverTheOrderOfTheAnswers(long seed) {
        List<Integer> times = new ArrayList<>(List.of(1, 2, 3, 4, 5));
        Collections.shuffle(times, new Random(seed));
        ReadTally all = new ReadTally(new Quorum(5, 5));

        times.forEach(time -> all.add(new Found("n" + time, value(time))));

        assertThat(all.outcome(NOW)).isEqualTo(new ReadOutcome.Found(value(5), 5, new Quorum(5, 5)));
    }

    @Test
    void undecidedTallyThatWaitsNoLongerHasTimedOutEvenIfItHasAValue() {
        tally.add(new Found("n1", value(1)));

        assertThat(tally.isDecided()).isFalse();
        assertThat(tally.newest()).isEqualTo(value(1));
        assertThat(tally.outcome(NOW)).isEqualTo(new ReadOutcome.TimedOut(new Shortfall(TWO_OF_THREE, 1, List.of())));
    }

    @Test
    void absenceCountsAsAnAnswer() {
        tally.add(new Absent("n1")).add(new Found("n2", value(1)));

        assertThat(tally.outcome(NOW)).isEqualTo(new ReadOutcome.Found(value(1), 2, TWO_OF_THREE));
    }

    @Test
    void newestTombstoneIsAbsentWithItsVersion() {
        tally.add(new Found("n1", tombstone(2))).add(new Found("n2", value(1)));

        assertThat(tally.outcome(NOW)).isEqualTo(new ReadOutcome.Absent(new Version(2, 1), 2, TWO_OF_THREE));
    }

    /** The older value must not come back to life when the newer one expires. */
    @Test
    void expiredValueHidesTheOlderOne() {
        tally.add(new Found("n1", value(1))).add(new Found("n2", expiring(2, NOW)));

        assertThat(tally.outcome(NOW - 1)).isEqualTo(new ReadOutcome.Found(expiring(2, NOW), 2, TWO_OF_THREE));
        assertThat(tally.outcome(NOW)).isEqualTo(new ReadOutcome.Absent(new Version(2, 1), 2, TWO_OF_THREE));
    }

    @Test
    void nothingAnywhereIsAbsentWithoutAVersion() {
        tally.add(new Absent("n1")).add(new Absent("n2"));

        assertThat(tally.outcome(NOW)).isEqualTo(new ReadOutcome.Absent(null, 2, TWO_OF_THREE));
    }

    @Test
    void sameReplicaTwiceIsNotAQuorumOfTwo() {
        tally.add(new Absent("n1")).add(new Absent("n1"));

        assertThat(tally.isDecided()).isFalse();
    }

    @Test
    void tooManyFailuresAreUnavailableAndForLackOfRoomAloneRejected() {
        tally.add(failure("n1", Reason.OVERLOADED)).add(failure("n2", Reason.REFUSED));
        ReadTally full = new ReadTally(TWO_OF_THREE)
                .add(failure("n1", Reason.OVERLOADED))
                .add(failure("n2", Reason.OVERLOADED));

        assertThat(tally.outcome(NOW)).isInstanceOf(ReadOutcome.Unavailable.class);
        assertThat(full.outcome(NOW)).isInstanceOf(ReadOutcome.Rejected.class);
    }

    /** What costs nothing on the way tells whether any replica is behind. */
    @ParameterizedTest
    @MethodSource("seeds")
    void repliesDifferWhereAnyTwoOfThemDo(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            ReadTally one = new ReadTally(new Quorum(3, 3));
            List<String> answers = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                int time = random.nextInt(3);
                answers.add(time == 0 ? "absent" : "at " + time);
                one.add(time == 0 ? new Absent("n" + i) : new Found("n" + i, value(time)));
            }

            assertThat(one.differs())
                    .as("seed " + seed + ", " + answers)
                    .isEqualTo(answers.stream().distinct().count() > 1);
        }
    }

    @Test
    void failureIsNoDifferentAnswer() {
        tally.add(new Found("n1", value(1))).add(failure("n2", Reason.BROKEN)).add(new Found("n3", value(1)));

        assertThat(tally.differs()).isFalse();
    }
}
