package dev.kvorum.node.frame;

import static dev.kvorum.node.frame.RawFrames.CONTINUES;
import static dev.kvorum.node.frame.RawFrames.MORE;
import static dev.kvorum.node.frame.RawFrames.parsed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.frame.Assembly.Progress;
import dev.kvorum.node.http.ByteBudget;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AssemblyTest {
    private static final int FULL = Frame.BODY_MAX;
    private static final int WAIT_MILLIS = 60_000;

    private final ByteBudget allowance = new ByteBudget(10L * FULL);
    private final Assembly assembly = assembly(4 * FULL, 6L * FULL);

    private Assembly assembly(int bodyMax, long bytesMax) {
        return new Assembly(
                new FrameLimits(bodyMax, 8, bytesMax, Duration.ofSeconds(2), Duration.ofSeconds(3), allowance));
    }

    private static Frame whole(int id, int length) {
        return parsed(FrameType.CALL, 0, id, RawFrames.filled(length, id));
    }

    private static Frame first(int id) {
        return parsed(FrameType.CALL, MORE, id, RawFrames.filled(FULL, id));
    }

    private static Frame middle(int id) {
        return parsed(FrameType.CALL, MORE | CONTINUES, id, RawFrames.filled(FULL, id));
    }

    private static Frame last(int id, int length) {
        return parsed(FrameType.CALL, CONTINUES, id, RawFrames.filled(length, id));
    }

    private Progress add(Frame frame) {
        return assembly.add(frame, WAIT_MILLIS);
    }

    @Test
    void bodyOfOneFrameIsWholeAndTakesNothing() {
        Frame frame = whole(1, 10);

        assertThat(add(frame)).isEqualTo(Progress.WHOLE);
        assertThat(allowance.taken()).isZero();
        assertThat(assembly.take(frame)).isSameAs(frame.body);
    }

    @Test
    void bodiesWhoseFramesTakeTurnsAreKeptApart() {
        assertThat(add(first(1))).isEqualTo(Progress.PARTIAL);
        assertThat(add(first(2))).isEqualTo(Progress.PARTIAL);
        assertThat(add(whole(3, 5))).isEqualTo(Progress.WHOLE);
        assertThat(add(middle(1))).isEqualTo(Progress.PARTIAL);
        assertThat(allowance.taken()).isEqualTo(3 * FULL);
        Frame end = last(1, 7);
        assertThat(add(end)).isEqualTo(Progress.WHOLE);

        assertThat(ByteBufUtil.getBytes(assembly.take(end))).isEqualTo(RawFrames.filled(2 * FULL + 7, 1));
        assertThat(allowance.taken()).isEqualTo(FULL);
    }

    @Test
    void endOfABodyMayBeEmpty() {
        Frame end = last(1, 0);
        add(first(1));

        assertThat(add(end)).isEqualTo(Progress.WHOLE);
        assertThat(assembly.take(end).readableBytes()).isEqualTo(FULL);
    }

    @Test
    void bodyThatGrowsTooLongIsForgottenAndItsRestIgnored() {
        add(first(1));
        add(middle(1));
        add(middle(1));
        add(middle(1));

        assertThat(add(middle(1))).isEqualTo(Progress.TOO_LONG);
        assertThat(allowance.taken()).isZero();
        assertThat(add(middle(1))).isEqualTo(Progress.IGNORED);
        assertThat(add(last(1, 1))).isEqualTo(Progress.IGNORED);
    }

    @Test
    void singleFrameMayBeTooLong() {
        Assembly small = assembly(100, FULL);

        assertThat(small.add(whole(1, 100), WAIT_MILLIS)).isEqualTo(Progress.WHOLE);
        assertThat(small.add(whole(1, 101), WAIT_MILLIS)).isEqualTo(Progress.TOO_LONG);
    }

    @Test
    void bodyForWhichThereIsNoMemoryIsForgotten() {
        add(first(1));
        assertThat(allowance.take(9L * FULL)).isTrue();

        assertThat(add(middle(1))).isEqualTo(Progress.NO_ROOM);
        assertThat(add(last(1, 1))).isEqualTo(Progress.IGNORED);
        assertThat(allowance.taken()).isEqualTo(9L * FULL);
    }

    /** Else one connection could take the memory of the whole node with bodies that never end. */
    @Test
    void connectionTakesNoMoreThanItsShareOfTheMemory() {
        for (int id = 1; id <= 6; id++) {
            assertThat(add(first(id))).isEqualTo(Progress.PARTIAL);
        }

        assertThat(add(first(7))).isEqualTo(Progress.NO_ROOM);
        assembly.drop(1);
        assertThat(add(first(8))).isEqualTo(Progress.PARTIAL);
        assertThat(allowance.taken()).isEqualTo(6L * FULL);
    }

    @Test
    void bodyThatIsAloneMayBeLongerThanTheShare() {
        Assembly narrow = assembly(10 * FULL, FULL);

        assertThat(narrow.add(first(1), WAIT_MILLIS)).isEqualTo(Progress.PARTIAL);
        assertThat(narrow.add(middle(1), WAIT_MILLIS)).isEqualTo(Progress.PARTIAL);
        assertThat(narrow.add(last(1, 1), WAIT_MILLIS)).isEqualTo(Progress.WHOLE);
    }

    @Test
    void bodyWhoseRestDoesNotComeInTimeIsForgotten() {
        assembly.add(first(1), 0);
        add(first(2));

        assembly.dropLate(System.nanoTime() + 1);

        assertThat(allowance.taken()).isEqualTo(FULL);
        assertThat(add(last(1, 1))).isEqualTo(Progress.IGNORED);
        assertThat(add(last(2, 1))).isEqualTo(Progress.WHOLE);
    }

    @Test
    void droppedBodiesGiveBackWhatTheyTook() {
        add(first(1));
        add(first(2));

        assembly.drop(1);
        assembly.drop(1);
        assembly.drop(99);
        assertThat(allowance.taken()).isEqualTo(FULL);

        assembly.clear();
        assembly.clear();
        assertThat(allowance.taken()).isZero();
        assertThat(add(last(2, 1))).isEqualTo(Progress.IGNORED);
    }

    @Test
    void bodyThatBeginsTwiceIsMalformed() {
        add(first(1));

        assertThatThrownBy(() -> add(first(1))).isInstanceOf(MalformedFrameException.class);
        assertThatThrownBy(() -> add(whole(1, 1))).isInstanceOf(MalformedFrameException.class);
    }
}
