package dev.kvorum.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.load.scenario.Aim;
import dev.kvorum.load.scenario.InvalidScenario;
import dev.kvorum.load.scenario.Scenario;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class ScenarioOptionsTest {
    private static Scenario scenario(String... words) throws IOException {
        return CommandLine.populateCommand(new ScenarioOptions(), words).scenario();
    }

    @Test
    void optionsAreAppliedToTheScenario() throws Exception {
        Scenario soak = scenario("scenarios/r2.yaml", "--rate=9000", "--duration=5m", "--runs=2");

        assertThat(soak.rules().rounds()).isEqualTo(2);
        assertThat(soak.variants())
                .singleElement()
                .satisfies(put -> assertThat(put.load().aim()).isEqualTo(new Aim.Rate(9000)))
                .satisfies(put -> assertThat(put.load().lengths().measured()).isEqualTo(Duration.ofMinutes(5)));
    }

    @Test
    void scenarioIsAsItsFileHasItUnlessSaid() throws Exception {
        Scenario soak = scenario("scenarios/r2.yaml");

        assertThat(soak.variants().getFirst().load().aim()).isEqualTo(new Aim.Rate(11_000));
        assertThat(soak.variants().getFirst().load().lengths().measured()).isEqualTo(Duration.ofMinutes(20));
    }

    @Test
    void onlyNamedVariantsAreKept() throws Exception {
        assertThat(scenario("scenarios/r0.yaml", "--variants=on-1of3,off-1of3").variants())
                .extracting(variant -> variant.name())
                .containsExactly("on-1of3", "off-1of3");
    }

    @Test
    void valuesThatAreNoneAreRefusedByTheirOption() {
        refused("--rate=fast", "Invalid value for option '--rate': \"fast\" is no whole number from 1 to 1000000");
        refused("--rate=", "\"\" is no whole number");
        refused("--runs=101", "Invalid value for option '--runs': \"101\" is no whole number from 1 to 100");
        refused("--duration=soon", "Invalid value for option '--duration': \"soon\" is no duration such as");
    }

    private static void refused(String option, String complaint) {
        assertThatThrownBy(() -> scenario("scenarios/r2.yaml", option))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void scenarioThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> scenario("scenarios/none.yaml"))
                .isInstanceOf(InvalidScenario.class)
                .hasMessage("There is no scenario scenarios/none.yaml.");
    }
}
