package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final int BYTES_MAX = 1 << 20;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Outbox outbox = new Outbox(channel, BYTES_MAX, new FrameMetrics(meters));

    private static Message message(int id, int length) {
        return new Message(FrameType.CALL, 1, id, 0, new byte[length]);
    }

    private List<Integer> sentIds() {
        return FramePair.sentBy(channel).stream().map(RawFrames.Seen::id).toList();
    }

    private double flushes() {
        return meters.get("kvorum.frames.flushes").functionCounter().count();
    }

    @Test
    void manyMessagesShareAFlush() {
        for (int id = 1; id <= 100; id++) {
            assertThat(outbox.offer(message(id, 100))).isTrue();
        }

        assertThat(sentIds())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 100).boxed().toList());
        assertThat(flushes()).isOne();
        assertThat(outbox.waitingBytes()).isZero();
    }

    @Test
    void shortMessageWaitsForOneFrameOfEachLongBody() {
        outbox.offer(message(1, 5 * Frame.BODY_MAX));
        outbox.offer(message(2, 3 * Frame.BODY_MAX));
        outbox.offer(message(3, 10));

        assertThat(sentIds()).containsExactly(1, 2, 3, 1, 2, 1, 2, 1, 1);
    }

    @Test
    void messageThatComesWhileALongBodyWaitsIsSentAfterItsNextFrame() {
        outbox.offer(message(1, 8 * Frame.BODY_MAX));
        FramePair.setTaking(channel, false);
        outbox.offer(message(2, 10));
        assertThat(sentIds()).isEmpty();

        FramePair.setTaking(channel, true);
        outbox.resume();

        assertThat(sentIds()).startsWith(1, 2, 1);
    }

    /** What a message that comes later lets go before it. */
    @Test
    void writeTakesFramesUntilItHas256KiB() {
        outbox.offer(message(1, 12 * Frame.BODY_MAX));
        channel.runPendingTasks();

        List<Integer> writes = new ArrayList<>();
        for (ByteBuf write = channel.readOutbound(); write != null; write = channel.readOutbound()) {
            writes.add(write.readableBytes());
            write.release();
        }

        int four = 4 * (Frame.LENGTH_BYTES + Frame.REST_MAX); // Three have less.
        assertThat(writes).containsExactly(four, four, four);
        assertThat(four).isBetween(256 << 10, (256 << 10) + Frame.BODY_MAX);
    }

    @Test
    void bytesThatWaitAreBounded() {
        FramePair.setTaking(channel, false);

        assertThat(outbox.offer(message(1, BYTES_MAX - 10))).isTrue();
        assertThat(outbox.offer(message(2, 11))).isFalse();
        assertThat(outbox.offer(message(3, 10))).isTrue();
        assertThat(outbox.offer(message(4, 0))).isTrue();
        assertThat(outbox.waitingBytes()).isEqualTo(BYTES_MAX);

        FramePair.setTaking(channel, true);
        outbox.resume();
        assertThat(sentIds()).contains(1, 3, 4).doesNotContain(2);
        assertThat(outbox.waitingBytes()).isZero();
    }

    @Test
    void messageThatIsAloneMayBeLongerThanTheBound() {
        assertThat(outbox.offer(message(1, BYTES_MAX + 1))).isTrue();
        assertThat(outbox.offer(message(2, 1))).isFalse();
    }

    @Test
    void unhurriedMessageWaitsForAnother() {
        outbox.offerUnhurried(message(1, 0));
        assertThat(sentIds()).isEmpty();

        outbox.offer(message(2, 0));

        assertThat(sentIds()).containsExactly(1, 2);
        assertThat(flushes()).isOne();
    }

    @Test
    void unhurriedMessageIsSentWhenAskedFor() {
        outbox.offerUnhurried(message(1, 0));

        outbox.resume();

        assertThat(sentIds()).containsExactly(1);
    }

    @Test
    void messageThatIsNotNeededAnyMoreStopsWhereItIsAndGivesItsBytesBack() {
        List<String> done = new ArrayList<>();
        Message stopped = new Message(FrameType.CALL, 1, 1, 0, new byte[9 * Frame.BODY_MAX]) {
            private int asked;

            @Override
            boolean proceeds() {
                return asked++ < 2;
            }

            @Override
            void done() {
                done.add("given up");
            }
        };
        outbox.offer(stopped);

        assertThat(sentIds()).containsExactly(1, 1);
        assertThat(done).containsExactly("given up");
        assertThat(outbox.waitingBytes()).isZero();
    }

    @Test
    void nothingIsWrittenWhenNothingNeedBeSent() {
        outbox.offer(new Message(FrameType.CALL, 1, 1, 0, new byte[1]) {
            @Override
            boolean proceeds() {
                return false;
            }
        });

        assertThat(sentIds()).isEmpty();
        assertThat(flushes()).isZero();
    }

    @Test
    void closedChannelTakesNothing() {
        var _ = channel.close();

        assertThat(outbox.offer(message(1, 1))).isTrue();
        channel.runPendingTasks();

        assertThat(channel.<Object>readOutbound()).isNull();
    }

    @Test
    void messagesOfAConnectionThatHasEndedAreGivenUp() {
        List<Integer> done = new ArrayList<>();
        FramePair.setTaking(channel, false);
        outbox.offer(new Told(1, done));
        var _ = channel.close();
        outbox.discard();
        outbox.offer(new Told(2, done));

        assertThat(sentIds()).isEmpty();
        assertThat(done).containsExactly(1, 2);
        assertThat(outbox.waitingBytes()).isZero();
    }

    /** Such as that there is no memory. */
    @Test
    void whatFailsWhileAWriteIsFilledIsToldToTheConnectionAndAllBytesAreGivenBack() {
        List<Integer> done = new ArrayList<>();
        try (LeakedBuffers leaked = new LeakedBuffers()) {
            outbox.offer(new Told(1, done));
            outbox.offer(new Told(2, done) {
                @Override
                int head() {
                    throw new OutOfMemoryError("on purpose");
                }
            });
            outbox.offer(new Told(3, done));
            channel.runPendingTasks();
            assertThatThrownBy(channel::checkException).hasMessage("on purpose");

            var _ = channel.close(); // As both ends of a connection do then.
            outbox.discard();

            assertThat(done).containsExactly(1, 2, 3);
            assertThat(outbox.waitingBytes()).isZero();
            assertThat(leaked.found()).isEmpty();
        }
    }

    private static class Told extends Message {
        private final List<Integer> done;

        Told(int id, List<Integer> done) {
            super(FrameType.REPLY, 0, id, 200, new byte[10]);
            this.done = done;
        }

        @Override
        void done() {
            done.add(id());
        }
    }
}
