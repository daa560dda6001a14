package dev.kvorum.node.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuorumTest {
    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,2", "4,3", "5,3", "6,4", "255,128"})
    void majorityIsMoreThanHalf(int from, int ack) {
        assertThat(Quorum.majorityOf(from)).isEqualTo(new Quorum(ack, from));
    }

    @Test
    void twoMajoritiesAlwaysMeet() {
        for (int from = 1; from <= 255; from++) {
            assertThat(2 * Quorum.majorityOf(from).ack()).isGreaterThan(from);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,1", "-1,3", "2,1", "4,3", "1,0"})
    void ackOutsideOneToFromIsRefused(int ack, int from) {
        assertThatThrownBy(() -> new Quorum(ack, from))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ack " + ack + " is not from 1 to from " + from);
    }

    @Test
    void textIsAckOutOfFrom() {
        assertThat(new Quorum(2, 3)).hasToString("2/3");
    }
}
