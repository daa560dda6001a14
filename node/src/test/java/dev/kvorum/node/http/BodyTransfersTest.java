package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyTransfersTest {
    private static final long SECOND = 1_000_000_000;
    private static final int RATE_MIN = 1000;

    private long now = 5 * SECOND;
    private final BodyTransfers transfers = new BodyTransfers(RATE_MIN, () -> now);
    private final List<String> ended = new ArrayList<>();

    private BodyTransfer begin(String name, String address, int bytes) {
        BodyTransfer[] transfer = new BodyTransfer[1];
        transfer[0] = new BodyTransfer(address, () -> {
            ended.add(name);
            transfers.remove(transfer[0]);
        });
        transfers.moved(transfer[0], bytes, bytes);
        return transfer[0];
    }

    @Test
    void transferIsSlowAfterASecondWithoutBytesHoweverManyCameBefore() {
        var _ = begin("burst", "a", 1 << 20);

        now += SECOND;
        assertThat(transfers.endSlow(1)).isFalse();

        now += SECOND;
        assertThat(transfers.endSlow(1)).isTrue();
        assertThat(ended).containsExactly("burst");
        assertThat(transfers.heldBy("a")).isZero();
    }

    @Test
    void transferAtTheMinimumRateGoesOn() {
        BodyTransfer steady = begin("steady", "a", 1);

        for (int i = 0; i < 100; i++) {
            now += SECOND / 10;
            transfers.moved(steady, RATE_MIN / 10, RATE_MIN / 10);
            assertThat(transfers.endSlow(1)).isFalse();
        }
    }

    @Test
    void transferBelowTheMinimumRateUsesUpItsSecond() {
        BodyTransfer trickling = begin("trickling", "a", 1);

        for (int i = 0; i < 19; i++) {
            now += SECOND / 10;
            transfers.moved(trickling, RATE_MIN / 20, RATE_MIN / 20);
            assertThat(transfers.endSlow(1)).isFalse();
        }
        now += SECOND / 10 + 1;
        now += SECOND / 100; // The last search was in vain.

        assertThat(transfers.endSlow(1)).isTrue();
    }

    @Test
    void addressThatHoldsMostMakesRoomFirstAndItsSlowestTransferBeforeTheOthers() {
        var _ = begin("modest", "b", 10);
        BodyTransfer quicker = begin("quicker", "a", 10);
        var _ = begin("slowest", "a", 10);
        now += SECOND / 2;
        transfers.moved(quicker, 1, RATE_MIN);
        now += 2 * SECOND;

        assertThat(transfers.endSlow(10)).isTrue();
        assertThat(ended).containsExactly("slowest");

        assertThat(transfers.endSlow(12)).isTrue();
        assertThat(ended).containsExactly("slowest", "quicker", "modest");
    }

    @Test
    void transferThatIsWholeIsNotEnded() {
        BodyTransfer whole = begin("whole", "a", 10);
        transfers.remove(whole);
        transfers.remove(whole);
        now += 10 * SECOND;

        assertThat(transfers.endSlow(1)).isFalse();
        assertThat(transfers.heldBy("a")).isZero();
    }
}
