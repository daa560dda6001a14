package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.generate.Pace;
import dev.kvorum.load.generate.Stretch;
import dev.kvorum.load.generate.StretchResult;
import dev.kvorum.load.generate.StretchResult.TimedSlice;
import dev.kvorum.load.measure.MachineTime;
import dev.kvorum.load.run.RoundResult.Try;
import dev.kvorum.load.run.Stretches.Second;
import dev.kvorum.load.scenario.Aim;
import dev.kvorum.load.scenario.LoadPlan;
import dev.kvorum.load.scenario.ScenarioFile;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SaturationSearchTest {
    private static final Aim.Search SEARCH = new Aim.Search(1000, 64_000, Duration.ofSeconds(4), 10);
    private static final double CAPACITY = 20_000;
    private static final double PRECISION = 1.04;
    private static final MachineTime IDLE = new MachineTime(100, 100, 0);

    private static RoundResult searched(Store store) throws InterruptedException {
        return new SaturationSearch(SEARCH, store).run(0);
    }

    @Test
    void highestGoodRateIsFoundWithinThePrecision() throws InterruptedException {
        RoundResult result = searched(new Store());

        assertThat(saturation(result)).isBetween(CAPACITY / PRECISION, CAPACITY);
        assertThat(result.legs()).extracting(Leg::name).containsExactly("confirmed");
        assertThat(result.tries().getLast().rate()).isEqualTo(saturation(result));
    }

    @Test
    void nodesWarmUpOnAllConnectionsFirst() throws InterruptedException {
        Store store = new Store();

        RoundResult _ = searched(store);

        assertThat(store.names.getFirst()).isEqualTo("warm-up of 64");
        assertThat(store.names.getLast()).isEqualTo("confirmed");
    }

    @Test
    void stepThatFailsOnceIsTriedAgainAndBelievedIfItIsGoodThen() throws InterruptedException {
        Store store = new Store();
        store.pausesAt = 1;

        RoundResult result = searched(store);

        assertThat(result.tries().get(0).good()).isFalse();
        assertThat(result.tries().get(1).good()).isTrue();
        assertThat(result.tries().get(1).rate()).isEqualTo(result.tries().get(0).rate());
        assertThat(saturation(result)).isBetween(CAPACITY / PRECISION, CAPACITY);
    }

    @Test
    void stepThatFailsTwiceIsBad() throws InterruptedException {
        List<Try> tries = searched(new Store()).tries();

        List<Try> bad = tries.stream().filter(step -> !step.good()).toList();
        assertThat(bad).isNotEmpty();
        assertThat(bad.stream().map(Try::rate).distinct().count()).isEqualTo(bad.size() / 2);
    }

    @Test
    void anErrorARefusalOrAGeneratorAtItsLimitMakesARateBad() throws InterruptedException {
        for (Second flawed : List.of(new Second(1000, 4, 1, 0), new Second(1000, 4, 0, 1))) {
            Store store = new Store();
            store.beyond = flawed;
            assertThat(saturation(searched(store))).isBetween(CAPACITY / PRECISION, CAPACITY);
        }
        Store late = new Store();
        late.beyond = new Second(1000, 4, 0, 0);
        late.problems = List.of("the generator began only 1 of 2 requests");
        assertThat(saturation(searched(late))).isBetween(CAPACITY / PRECISION, CAPACITY);
    }

    @Test
    void rateThatDoesNotHoldForTheFullLengthIsLowered() throws InterruptedException {
        Store store = new Store();
        store.capacityConfirmed = 0.9 * CAPACITY;

        RoundResult result = searched(store);

        assertThat(saturation(result)).isBetween(0.9 * CAPACITY * 0.94, 0.9 * CAPACITY);
    }

    @Test
    void rateThatNeverHoldsForTheFullLengthIsNoSaturation() throws InterruptedException {
        Store store = new Store();
        store.capacityConfirmed = 0;

        RoundResult result = searched(store);

        assertThat(saturation(result)).isZero();
        assertThat(store.names.stream().filter("confirmed"::equals)).hasSize(5);
    }

    private static double saturation(RoundResult result) {
        return result.figures().get(Metric.SATURATION).orElseThrow();
    }

    /** Answers in 4 ms up to its capacity, and beyond it as the test says. */
    private static final class Store implements Round {
        private final List<String> names = new ArrayList<>();
        private Second beyond = new Second(1000, 50, 0, 0);
        private List<String> problems = List.of();
        private double capacityConfirmed = CAPACITY;
        private int pausesAt;
        private int steps;

        @Override
        public LoadPlan load() {
            return ScenarioFile.parse(
                            "test",
                            "{title: t, why: w, load: {mix: {PUT: 1}, search: {}, connections: 64}, variants: [{name: v}]}")
                    .variants()
                    .getFirst()
                    .load();
        }

        @Override
        public Progress progress() {
            return new Progress() {
                @Override
                public void phase(String what) {
                    // Nobody watches a test.
                }

                @Override
                public void second(TimedSlice slice) {
                    // Nor this.
                }
            };
        }

        @Override
        public void warmUp(Pace.Closed pace) {
            names.add("warm-up of " + pace.clients());
        }

        @Override
        public Stretch stretch(String name, Pace pace, Duration length) {
            URI node = URI.create("http://127.0.0.1:1");
            return new Stretch(name, List.of(node), load().traffic(1), pace, 64, length, Duration.ofSeconds(5), 0);
        }

        @Override
        public StretchResult unmeasured(Stretch stretch) {
            steps++;
            return steps == pausesAt ? answered(stretch, 0) : answered(stretch, CAPACITY);
        }

        @Override
        public Measurement measure(Stretch stretch) {
            StretchResult result = answered(stretch, capacityConfirmed);
            return new Measurement(
                    result, result.settled(), 0, 0, List.of(), IDLE, Measurement.Alive.UNKNOWN, Optional.empty());
        }

        private StretchResult answered(Stretch stretch, double capacity) {
            names.add(stretch.name());
            boolean isServed = stretch.pace() instanceof Pace.Open open && open.perSecond() <= capacity;
            return isServed
                    ? Stretches.of(Collections.nCopies(4, new Second(1000, 4, 0, 0)))
                    : Stretches.of(Collections.nCopies(4, beyond), problems);
        }

        @Override
        public RoundResult result(long start, List<Leg> legs, Measurement measured, List<Try> tries) {
            return new RoundResult(
                    "v",
                    1,
                    start,
                    legs,
                    measured.settled().slice(),
                    MeasuredFigures.of(measured),
                    measured.samples(),
                    Optional.empty(),
                    tries,
                    List.of());
        }
    }
}
