package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final List<FaultKind> ALL = List.of(FaultKind.values());
    private static final Duration LENGTH = Duration.ofMinutes(30);

    @Test
    void seedDecidesTheSchedule() {
        FaultSchedule schedule = FaultSchedule.of(17, LENGTH, ALL);

        assertThat(FaultSchedule.of(17, LENGTH, ALL)).isEqualTo(schedule);
        assertThat(FaultSchedule.of(18, LENGTH, ALL)).isNotEqualTo(schedule);
    }

    @Test
    void shorterRunOfTheSameSeedBeginsAsTheLongerOne() {
        List<PlannedFault> longer = FaultSchedule.of(17, LENGTH, ALL).faults();

        List<PlannedFault> shorter =
                FaultSchedule.of(17, Duration.ofMinutes(1), ALL).faults();

        assertThat(shorter).isNotEmpty().isEqualTo(longer.subList(0, shorter.size()));
    }

    @Test
    void everyKindComesInTheOrderOfTimeAndBeforeTheEnd() {
        List<PlannedFault> faults = FaultSchedule.of(17, LENGTH, ALL).faults();

        assertThat(faults).extracting(PlannedFault::kind).containsAll(ALL);
        assertThat(faults).extracting(PlannedFault::at).isSorted().allMatch(at -> at.compareTo(LENGTH) < 0);
        assertThat(faults).extracting(PlannedFault::chance).allMatch(chance -> chance >= 0);
    }

    @Test
    void kindsComeAsOftenAsTheirShares() {
        List<PlannedFault> faults =
                FaultSchedule.of(17, Duration.ofDays(2), ALL).faults();

        var counts = faults.stream().collect(Collectors.groupingBy(PlannedFault::kind, Collectors.counting()));

        double each =
                (double) faults.size() / ALL.stream().mapToInt(FaultKind::share).sum();
        assertThat(ALL)
                .allSatisfy(kind -> assertThat(counts.getOrDefault(kind, 0L) / each / kind.share())
                        .isBetween(0.9, 1.1));
    }
}
