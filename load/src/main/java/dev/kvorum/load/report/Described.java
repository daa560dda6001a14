package dev.kvorum.load.report;

import dev.kvorum.load.generate.Traffic.Weight;
import dev.kvorum.load.generate.ValueSizes;
import dev.kvorum.load.scenario.Aim;
import dev.kvorum.load.scenario.FaultPlan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A plan in words, for people who have not read the scenario. */
final class Described {
    private Described() {}

    static String aim(Aim aim) {
        return switch (aim) {
            case Aim.Rate rate -> String.format(Locale.ROOT, "%,.0f requests/s, open loop", rate.perSecond());
            case Aim.Closed closed -> "closed loop of " + closed.clients() + " clients";
            case Aim.Search search ->
                String.format(
                        Locale.ROOT,
                        "search from %,.0f to %,.0f/s for the highest rate with p99 < %.0f ms and no error",
                        search.low(),
                        search.high(),
                        search.p99Millis());
            case Aim.Overload overload ->
                String.format(
                        Locale.ROOT,
                        "%.0f times the peak of %d closed-loop clients, between two stretches at %.0f %% of it",
                        overload.factor(),
                        overload.clients(),
                        100 * overload.normalShare());
        };
    }

    static String mix(List<Weight> mix) {
        int total = mix.stream().mapToInt(Weight::share).sum();
        return mix.stream()
                .map(weight -> weight.operation() + (mix.size() > 1 ? " " + 100 * weight.share() / total + " %" : ""))
                .collect(Collectors.joining(", "));
    }

    static String sizes(ValueSizes values) {
        int total =
                values.weights().stream().mapToInt(ValueSizes.Weight::weight).sum();
        return values.weights().stream()
                .map(weight -> ValueSizes.name(weight.bytes())
                        + (values.areMixed() ? " " + 100 * weight.weight() / total + " %" : ""))
                .collect(Collectors.joining(", "));
    }

    static String fault(FaultPlan fault) {
        return switch (fault) {
            case FaultPlan.Slow slow
            when slow.delay().isZero() -> "requests to n" + slow.node() + " go through a proxy that holds nothing back";
            case FaultPlan.Slow slow -> "requests to n" + slow.node() + " take " + duration(slow.delay()) + " longer";
            case FaultPlan.Frozen frozen -> "n" + frozen.node() + " is frozen";
            case FaultPlan.Dead dead -> "n" + dead.node() + " is killed";
            case FaultPlan.Strangers strangers ->
                strangers.connections() + " strangers (" + strangers.habit().label() + ") crowd the "
                        + strangers.port().label() + " port of n" + strangers.node();
            case FaultPlan.Scaled scaled ->
                scaled.more() + " nodes more join, "
                        + (scaled.cancelled() ? "which is taken back half-way" : "and leave again");
        };
    }

    static String duration(Duration duration) {
        if (duration.toMillis() < 1000 && !duration.isZero()) {
            return duration.toMillis() + " ms";
        }
        return duration.toSeconds() >= 120 && duration.toSecondsPart() == 0
                ? duration.toMinutes() + " min"
                : duration.toMillis() / 1000.0 + " s";
    }
}
