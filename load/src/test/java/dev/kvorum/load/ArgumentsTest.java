package dev.kvorum.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.load.scenario.Aim;
import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    @Test
    void optionsAreAppliedToTheScenario() throws Exception {
        Scenario soak = Arguments.parse(List.of("run", "scenarios/r2.yaml", "--rate=9000", "--duration=5m", "--runs=2"))
                .scenario();

        assertThat(soak.rounds()).isEqualTo(2);
        assertThat(soak.variants())
                .singleElement()
                .satisfies(put -> assertThat(put.load().aim()).isEqualTo(new Aim.Rate(9000)))
                .satisfies(put -> assertThat(put.load().duration()).isEqualTo(Duration.ofMinutes(5)));
    }

    @Test
    void emptyOptionIsOneLeftOut() throws Exception {
        Scenario soak = Arguments.parse(List.of("run", "scenarios/r2.yaml", "--rate=", "--duration="))
                .scenario();

        assertThat(soak.variants().getFirst().load().aim()).isEqualTo(new Aim.Rate(11_000));
        assertThat(soak.variants().getFirst().load().duration()).isEqualTo(Duration.ofMinutes(20));
    }

    @Test
    void rateThatIsNoneIsRefused() {
        Arguments typed = Arguments.parse(List.of("run", "scenarios/r2.yaml", "--rate=fast"));

        assertThatThrownBy(typed::scenario).isInstanceOf(InvalidScenario.class).hasMessageContaining("RATE must be");
    }
}
