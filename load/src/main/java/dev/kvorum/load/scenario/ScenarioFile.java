package dev.kvorum.load.scenario;

import dev.kvorum.load.figure.Expectation;
import dev.kvorum.load.figure.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a scenario, and refuses what can't be run before anything is started. */
public final class ScenarioFile {
    private static final int ROUNDS_MAX = 100;
    private static final double PERCENT = 100;

    private ScenarioFile() {}

    public static Scenario read(Path file) throws IOException {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.yaml$", "");
        return parse(name, Files.readString(file));
    }

    /** @throws InvalidScenario naming the field that is wrong */
    public static Scenario parse(String name, String yaml) {
        Fields root = Fields.of(name + ".yaml", document(name, yaml));
        root.allow(
                VariantFields.COMMON,
                "title",
                "why",
                "rounds",
                "one-cluster",
                "allow-errors",
                "stolen-max",
                "variants",
                "expect");
        List<Variant> variants = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Fields fields : root.list("variants")) {
            Variant variant = VariantFields.read(root.only(VariantFields.COMMON), fields);
            if (!names.add(variant.name()) || variant.name().equals(Expectation.ALL)) {
                throw fields.wrong("name", "a name that no other variant has, and not \"" + Expectation.ALL + "\"");
            }
            if (variant.name().contains(Variant.PART)) {
                throw fields.wrong("name", "a name without \"" + Variant.PART + "\"");
            }
            variants.add(variant);
        }
        if (variants.isEmpty()) {
            throw root.wrong("variants", "a list of at least one variant");
        }
        boolean oneCluster = root.flag("one-cluster", false);
        if (oneCluster && !OneCluster.canServe(variants)) {
            throw root.wrong("one-cluster", OneCluster.NEEDED);
        }
        return new Scenario(
                new Scenario.About(
                        name,
                        root.requiredString("title"),
                        root.requiredString("why").strip(),
                        yaml),
                new Scenario.Rules(
                        root.integer("rounds", 1, ROUNDS_MAX, 1),
                        oneCluster,
                        root.flag("allow-errors", false),
                        stolenMax(root, oneCluster)),
                variants,
                expectations(root, variants));
    }

    private static double stolenMax(Fields root, boolean oneCluster) {
        if (root.has("stolen-max") && !oneCluster) {
            throw root.wrong(
                    "stolen-max", "left out without one-cluster: rounds are measured again on the same cluster");
        }
        return root.number("stolen-max", 0, PERCENT, PERCENT);
    }

    private static Object document(String name, String yaml) {
        try {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
        } catch (YAMLException e) {
            throw new InvalidScenario(name + ".yaml is not YAML: " + e.getMessage());
        }
    }

    private static List<Expectation> expectations(Fields root, List<Variant> variants) {
        List<String> names = variants.stream()
                .flatMap(variant -> Stream.concat(Stream.of(variant.name()), variant.parts().stream()))
                .toList();
        List<Expectation> expectations = new ArrayList<>();
        for (String text : root.strings("expect")) {
            Expectation expectation;
            try {
                expectation = Expectation.parse(text);
            } catch (IllegalArgumentException e) {
                throw new InvalidScenario(
                        root.wrong("expect", "a list of comparisons").getMessage() + ": " + e.getMessage());
            }
            for (Expectation.Term term : List.of(expectation.left(), expectation.right())) {
                requireKnown(term, names, text);
            }
            expectations.add(expectation);
        }
        return expectations;
    }

    private static void requireKnown(Expectation.Term term, List<String> names, String text) {
        String variant = term.variant();
        if (variant.isEmpty() || variant.equals(Expectation.ALL)) {
            return;
        }
        if (!names.contains(variant)) {
            throw new InvalidScenario(
                    "expect: \"" + text + "\" names the variant \"" + variant + "\", but there are " + names);
        }
        if (variant.contains(Variant.PART) && term.metric() != null && !Metric.LATENCIES.contains(term.metric())) {
            throw new InvalidScenario("expect: \"" + text + "\" needs one of "
                    + Metric.LATENCIES.stream().map(Metric::label).toList() + ": of " + variant
                    + " nothing else is known");
        }
    }
}
