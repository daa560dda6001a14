package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    private static final List<FaultKind> ALL = List.of(FaultKind.values());
    private static final Pattern GATE = Pattern.compile("make chaos DURATION=(?<seconds>\\d+)s SEED=(?<seed>\\d+)");
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

    @Test
    void runOfTheGateHasFaultsOfEachSortSoonEnoughToWaitForTheirTurn() throws Exception {
        Matcher run = GATE.matcher(Files.readString(Path.of("..", ".ci", "run")));
        assertThat(run.find()).isTrue();
        Duration length = Duration.ofSeconds(Long.parseLong(run.group("seconds")));

        List<FaultKind> kinds = FaultSchedule.of(Long.parseLong(run.group("seed")), length, ALL).faults().stream()
                .filter(fault -> fault.at().compareTo(length.minusSeconds(15)) < 0)
                .map(PlannedFault::kind)
                .toList();

        assertThat(kinds)
                .contains(FaultKind.KILL, FaultKind.KILL_ALL)
                .anyMatch(FaultKind::misleads)
                .anyMatch(FaultKind::damagesDisk)
                .anyMatch(FaultKind::fillsDisk)
                .anyMatch(FaultKind::setsClock)
                .anyMatch(FaultKind::changesMembers);
    }
}
