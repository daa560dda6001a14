package dev.kvorum.load.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChaosVerdictTest {
    private static final List<FaultKind> ALL = List.of(FaultKind.values());

    private static ChaosVerdict verdict(List<FaultKind> faults, String... complaints) {
        ChaosOptions options = new ChaosOptions(
                17,
                Duration.ofSeconds(90),
                new ChaosOptions.Size(5, 300),
                faults,
                Path.of("node.jar"),
                Path.of("results"));
        return new ChaosVerdict(
                options, List.of(), List.of(complaints), Optional.of(Duration.ofSeconds(3)), "", List.of());
    }

    @Test
    void reportSaysHowToSeeTheSameFaultsAgain() {
        assertThat(verdict(ALL).report()).contains("again: make chaos SEED=17 DURATION=90s\n");
        assertThat(verdict(List.of(FaultKind.KILL, FaultKind.ROTTEN_FILE)).report())
                .contains("again: make chaos SEED=17 DURATION=90s FAULTS=KILL,ROTTEN_FILE\n");
    }

    @Test
    void complaintBreaksARunThatIsGoodOtherwise() {
        assertThat(verdict(ALL).isGood()).isTrue();
        ChaosVerdict broken = verdict(ALL, "n2 goes on with an older copy of its directory, which nobody has noticed");

        assertThat(broken.isGood()).isFalse();
        assertThat(broken.report())
                .contains("BROKEN: complaints", "! n2 goes on with an older copy")
                .doesNotContain("no acknowledged write lost");
    }
}
