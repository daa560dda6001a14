package dev.kvorum.load.scenario;

import dev.kvorum.load.figure.Expectation;
import java.time.Duration;
import java.util.List;

/** An experiment. */
public record Scenario(About about, Rules rules, List<Variant> variants, List<Expectation> expectations) {
    /**
     * What a reader is told.
     *
     * @param name of the file, without its ending
     * @param why  which question it answers
     * @param yaml as written
     */
    public record About(String name, String title, String why, String yaml) {}

    /**
     * How it is run.
     *
     * @param rounds        how often each variant is run, in turn with the others
     * @param oneCluster    whether all rounds of all variants have the same cluster, and not each its own
     * @param errorsAllowed whether requests may fail or be refused without failing the run
     * @param stolenMax     percentage of the processors that the host may take during a round; one that lost more is measured again
     */
    public record Rules(int rounds, boolean oneCluster, boolean errorsAllowed, double stolenMax) {}

    public Scenario {
        variants = List.copyOf(variants);
        expectations = List.copyOf(expectations);
    }

    public Scenario lasting(Duration length) {
        List<Variant> shortened =
                variants.stream().map(variant -> variant.lasting(length)).toList();
        return new Scenario(about, rules, shortened, expectations);
    }

    /**
     * At another rate, where a variant has one.
     *
     * @throws InvalidScenario if none has
     */
    public Scenario atRate(double perSecond) {
        if (variants.stream().noneMatch(variant -> variant.load().aim() instanceof Aim.Rate)) {
            throw new InvalidScenario(
                    about.name + ": a rate is for scenarios whose load has a rate, which no variant of this one has");
        }
        List<Variant> changed =
                variants.stream().map(variant -> variant.atRate(perSecond)).toList();
        return new Scenario(about, rules, changed, expectations);
    }

    public Scenario inRounds(int count) {
        Rules others = new Rules(count, rules.oneCluster, rules.errorsAllowed, rules.stolenMax);
        return new Scenario(about, others, variants, expectations);
    }

    /** Only the named variants, and the expectations that need no other. */
    public Scenario only(List<String> names) {
        List<Variant> kept = variants.stream()
                .filter(variant -> names.contains(variant.name()))
                .toList();
        if (kept.size() != names.size()) {
            throw new InvalidScenario(about.name + ": variants must be among "
                    + variants.stream().map(Variant::name).toList() + ", but are " + names);
        }
        List<Expectation> needed = expectations.stream()
                .filter(expectation -> isAmong(expectation.left().variant(), names)
                        && isAmong(expectation.right().variant(), names))
                .toList();
        return new Scenario(about, rules, kept, needed);
    }

    private static boolean isAmong(String variant, List<String> names) {
        return variant.isEmpty()
                || variant.equals(Expectation.ALL)
                || names.contains(variant.split(Variant.PART, -1)[0]);
    }
}
