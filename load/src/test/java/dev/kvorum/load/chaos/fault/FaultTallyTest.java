package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultTallyTest {
    private final FaultTally tally = new FaultTally();

    @BeforeEach
    void count() {
        tally.ended(FaultKind.KILL, true);
        tally.ended(FaultKind.KILL, true);
        tally.skipped(FaultKind.KILL);
        tally.ended(FaultKind.WRONG_ADDRESS, false);
        tally.skipped(FaultKind.ROLLED_BACK);
    }

    @Test
    void eachKindThatWasPlannedIsTold() {
        assertThat(tally.inWords().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "faults: 2 of 5 befell, 1 had no effect, 2 were skipped",
                        "KILL 2 befell, 0 without effect, 1 skipped",
                        "ROLLED_BACK 0 befell, 0 without effect, 1 skipped",
                        "WRONG_ADDRESS 0 befell, 1 without effect, 0 skipped");
    }

    @Test
    void kindThatNeverHadAnEffectIsAComplaintIfItWasAskedFor() {
        assertThat(tally.lacking(List.of())).isEmpty();
        assertThat(tally.lacking(List.of(FaultKind.KILL))).isEmpty();
        assertThat(tally.lacking(List.of(FaultKind.KILL, FaultKind.ROLLED_BACK, FaultKind.WRONG_ADDRESS)))
                .satisfiesExactly(
                        skipped -> assertThat(skipped).startsWith("ROLLED_BACK was asked for"),
                        inVain -> assertThat(inVain).startsWith("WRONG_ADDRESS was asked for"));
        assertThat(tally.lacking(List.of(FaultKind.FREEZE)))
                .singleElement()
                .asString()
                .contains("of 0 planned faults 0 were skipped");
    }
}
