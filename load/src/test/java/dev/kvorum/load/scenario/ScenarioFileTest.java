package dev.kvorum.load.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.load.generate.Operation;
import dev.kvorum.load.generate.Traffic.Weight;
import dev.kvorum.load.generate.ValueSizes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioFileTest {
    private static final String VALID = """
            title: A title
            why: A reason
            nodes: 3
            settings: {kvorum.read.fan-out: all, kvorum.read.placement: spread}
            load:
              mix: {GET: 3, PUT: 1}
              ack: 2
              from: 3
              keys: 10_000
              value-size: 4KiB
              rate: 1000
              duration: 20s
              settling: 3s
            variants:
              - name: plain
              - name: other
                what: Frames, slower
                settings: {kvorum.read.fan-out: hedged}
                load: {ack: 1, closed: 8}
                fault: {slow: {node: 3, delay: 5ms}}
            expect:
              - p99 of other <= 1.2 x p99 of plain
            """;

    static List<Path> delivered() throws IOException {
        return files("scenarios");
    }

    static List<Path> experiments() throws IOException {
        return files("experiments");
    }

    private static List<Path> files(String folder) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.toList();
        }
    }

    @ParameterizedTest
    @MethodSource("delivered")
    void everyDeliveredScenarioIsValid(Path file) throws IOException {
        Scenario scenario = ScenarioFile.read(file);

        assertThat(scenario.variants())
                .allSatisfy(variant -> assertThat(variant.what()).isNotBlank());
        assertThat(scenario.expectations()).isNotEmpty();
    }

    /** Nodes are measured with the options that they are delivered with, whichever collector and heap a scenario asks for. */
    @ParameterizedTest
    @MethodSource("delivered")
    void optionsOfAScenarioComeAfterThoseOfEveryNode(Path file) throws IOException {
        assertThat(ScenarioFile.read(file).variants())
                .allSatisfy(variant -> assertThat(variant.cluster().jvm())
                        .contains("-XX:+UseCompactObjectHeaders", "-XX:+ExitOnOutOfMemoryError")
                        .anyMatch(option -> option.startsWith("-Xmx"))
                        .filteredOn(option -> option.matches("-XX:[+]Use.*GC"))
                        .hasSize(1));
    }

    @ParameterizedTest
    @MethodSource("delivered")
    void everyBuildOfADeliveredScenarioHasItsPatch(Path file) throws IOException {
        assertThat(ScenarioFile.read(file).variants())
                .flatMap(variant -> variant.cluster().build().stream().toList())
                .allSatisfy(build ->
                        assertThat(Path.of("experiments", build + ".patch")).isReadable());
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void everyExperimentAppliesToTheSources(Path patch) throws Exception {
        Process git = new ProcessBuilder("git", "apply", "--check", "load/" + patch)
                .directory(Path.of("..").toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(git.waitFor()).as(said).isZero();
    }

    @Test
    void ofOneSizeOnlyLatenciesAreKnown() {
        String mixed = VALID.replace("value-size: 4KiB", "value-size: {100B: 9, 4KiB: 1}");

        assertThat(ScenarioFile.parse("test", mixed.replace("p99 of other", "mean of other/100B"))
                        .expectations())
                .hasSize(1);
        assertThatThrownBy(() -> ScenarioFile.parse("test", mixed.replace("p99 of other", "cpu of other/100B")))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining(
                        "needs one of [p50, p75, p90, p99, p99.9, p99.99, max, mean]: of other/100B nothing");
    }

    @Test
    void variantInheritsWhatItDoesNotOverride() {
        Scenario scenario = ScenarioFile.parse("test", VALID);

        Variant plain = scenario.variants().getFirst();
        Variant other = scenario.variants().getLast();
        assertThat(plain.load().aim()).isEqualTo(new Aim.Rate(1000));
        assertThat(plain.load().lengths().settling()).isEqualTo(Duration.ofSeconds(3));
        assertThat(plain.load().requests().mix())
                .containsExactly(new Weight(Operation.GET, 3), new Weight(Operation.PUT, 1));
        assertThat(plain.load().data().values()).isEqualTo(ValueSizes.of(4096));
        assertThat(plain.fault()).isEmpty();
        assertThat(other.load().requests().ack()).isEqualTo(1);
        assertThat(other.load().data().keys()).isEqualTo(10_000);
        assertThat(other.load().aim()).isEqualTo(new Aim.Closed(8));
        assertThat(other.load().lengths().settling()).isZero();
        assertThat(other.cluster().settings())
                .containsEntry("kvorum.read.fan-out", "hedged")
                .containsEntry("kvorum.read.placement", "spread");
        assertThat(other.fault()).contains(new FaultPlan.Slow(3, Duration.ofMillis(5), Duration.ZERO));
    }

    @Test
    void nodeIsWellBehindTheProxyWithoutADelay() throws Exception {
        Scenario scenario = ScenarioFile.parse("test", VALID.replace("delay: 5ms", "delay: 0s"));

        assertThat(scenario.variants().get(1).fault()).contains(new FaultPlan.Slow(3, Duration.ZERO, Duration.ZERO));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nodes: 3        | nodes: three         | nodes must be a number from 1 to 32, but is "three"
            nodes: 3        | build: ../other      | build must be the name of a patch in load/experiments
            ack: 2          | ack: 4               | load.ack must be a number from 1 to 3
            from: 3         | from: 5              | load.from must be a number from 1 to 3
            value-size: 4KiB| value-size: 4 cups   | load.value-size must be a size
            value-size: 4KiB| value-size: {4 cups: 1} | load.value-size must be weights of sizes
            value-size: 4KiB| value-size: {1KiB: 1, 1024B: 2} | load.value-size must be weights of sizes that differ
            value-size: 4KiB| value-size: {1KiB: 0, 4KiB: 1} | load.value-size.1KiB must be a number from 1
            value-size: 4KiB| value-size: {}  | load.value-size must be weights of sizes
            name: other     | name: oth/er    | variants[1].name must be a name without "/"
            p99 of other    | p99 of other/4KiB | names the variant "other/4KiB", but there are
            duration: 20s   | duration: 20         | load.duration must be a duration such as
            duration: 20s   | duration: 0s         | load.duration must be longer than nothing
            rate: 1000      | pace: 1000           | load.pace is not a field
            rate: 1000      | timeout: 2s          | load.rate must be the only one of rate, closed, search and overload (stated: [])
            rate: 1000      | closed: none         | load.closed must be a number
            closed: 8       | search: {}, settling: 5s | load.settling must be left out, but for a rate or a closed loop
            mix: {GET: 3, PUT: 1} | mix: {POST: 1} | mix.POST is not a field; known here: DELETE, GET, PUT
            mix: {GET: 3, PUT: 1} | mix: {GET: 0}  | load.mix must be at least one weight above 0
            title: A title  | titel: A title       | titel is not a field
            title: A title  | rounds: 2            | title must be a text, but is missing
            name: other     | name: plain          | variants[1].name must be a name that no other variant has
            node: 3, delay  | node: 1, delay       | fault.slow.node must be a number from 2 to 3
            slow: {         | melted: {            | fault.melted is not a field; known here: dead, frozen, scaled, slow
            p99 of other    | p98 of other         | "p98" is not a metric
            p99 of other    | p99 of another       | names the variant "another", but there are
            """)
    void complaintNamesTheField(String valid, String invalid, String complaint) {
        String yaml = VALID.replace(valid.strip(), invalid.strip());

        assertThat(yaml).isNotEqualTo(VALID);
        assertThatThrownBy(() -> ScenarioFile.parse("test", yaml))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining(complaint.strip());
    }

    @Test
    void whatIsNoYamlIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> ScenarioFile.parse("test", "title: [unclosed"))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining("test.yaml is not YAML")
                .hasMessageContaining("line 1");
    }

    @Test
    void onlyKeepsTheNamedVariantsAndTheExpectationsThatNeedNoOther() {
        Scenario scenario = ScenarioFile.parse("test", VALID).only(List.of("plain"));

        assertThat(scenario.variants()).extracting(Variant::name).containsExactly("plain");
        assertThat(scenario.expectations()).isEmpty();
        assertThatThrownBy(() -> scenario.only(List.of("other"))).isInstanceOf(InvalidScenario.class);
    }

    @Test
    void sizesOfAVariantReplaceTheScenariosAndAreNamedByExpectations() {
        Scenario scenario = ScenarioFile.parse(
                "test",
                VALID.replace("load: {ack: 1,", "load: {value-size: {100B: 9, 64KiB: 1}, ack: 1,")
                        .replace("p99 of other ", "p99 of other/100B "));

        assertThat(scenario.variants().getLast().load().data().values())
                .isEqualTo(new ValueSizes(List.of(new ValueSizes.Weight(100, 9), new ValueSizes.Weight(65_536, 1))));
        assertThat(scenario.only(List.of("plain")).expectations()).isEmpty();
        assertThat(scenario.only(List.of("plain", "other")).expectations()).hasSize(1);
    }

    @Test
    void otherRateIsThatOfVariantsThatHaveOne() {
        Scenario scenario = ScenarioFile.parse("test", VALID).atRate(77);

        assertThat(scenario.variants().getFirst().load().aim()).isEqualTo(new Aim.Rate(77));
        assertThat(scenario.variants().getLast().load().aim()).isEqualTo(new Aim.Closed(8));
        assertThatThrownBy(() -> scenario.only(List.of("other")).atRate(77)).isInstanceOf(InvalidScenario.class);
    }

    @Test
    void shortenedScenarioShortensEveryVariant() {
        Scenario scenario = ScenarioFile.parse("test", VALID).lasting(ScenarioLength.parse("3s"));

        assertThat(scenario.variants())
                .allSatisfy(variant ->
                        assertThat(variant.load().lengths().measured()).isEqualTo(Duration.ofSeconds(3)));
        assertThatThrownBy(() -> ScenarioLength.parse("soon")).hasMessage("\"soon\" is no duration such as 30s or 5m");
    }
}
