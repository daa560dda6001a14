package dev.kvorum.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    @Test
    void addsUserAndSystemTicksWhateverTheProcessIsCalled() {
        String stat = "4242 (a (strange) name) S 1 2 3 4 5 6 7 8 9 10 150 50 13 14 15 16 17 18 19 20";

        assertThat(ProcessorTime.micros(stat)).isEqualTo(2_000_000);
    }
}
