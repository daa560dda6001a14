package dev.kvorum.load.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosOptionsTest {
    private static ChaosOptions options(List<FaultKind> faults) {
        return new ChaosOptions(
                17, Duration.ofSeconds(90), new ChaosOptions.Size(5, 300), faults, Path.of("node.jar"), Path.of("out"));
    }

    @Test
    void kindsAreNamedUnlessAllCome() {
        assertThat(options(List.of(FaultKind.values())).named()).isEmpty();
        assertThat(options(List.of(FaultKind.KILL, FaultKind.FREEZE, FaultKind.KILL))
                        .named())
                .containsExactlyInAnyOrder(FaultKind.KILL, FaultKind.FREEZE);
    }
}
