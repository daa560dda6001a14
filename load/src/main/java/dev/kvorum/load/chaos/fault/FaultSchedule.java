package dev.kvorum.load.chaos.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which faults begin when, decided by the seed before the run begins.
 *
 * @param faults in the order of time
 */
public record FaultSchedule(List<PlannedFault> faults) {
    private static final long QUIET_MILLIS = 2000; // At the beginning, so that there is something to lose.
    private static final double GAP_MEAN_MILLIS = 5000;
    private static final long LASTS_MILLIS_MIN = 200;
    private static final long LASTS_MILLIS_MAX = 12_000;
    private static final long SLOW_MILLIS_MIN = 3000;

    public FaultSchedule {
        faults = List.copyOf(faults);
    }

    /** @param length after which none begins */
    public static FaultSchedule of(long seed, Duration length, List<FaultKind> kinds) {
        SplittableRandom random = new SplittableRandom(seed);
        List<PlannedFault> faults = new ArrayList<>();
        long at = QUIET_MILLIS + gap(random);
        while (at < length.toMillis() && !kinds.isEmpty()) {
            FaultKind kind = kind(random, kinds);
            Duration lasts = lasts(random, kind.takesTime() ? SLOW_MILLIS_MIN : LASTS_MILLIS_MIN);
            faults.add(new PlannedFault(Duration.ofMillis(at), kind, lasts, random.nextInt() >>> 1));
            at += gap(random);
        }
        return new FaultSchedule(faults);
    }

    /** As times between independent events are. */
    private static long gap(SplittableRandom random) {
        return 1 + (long) (-Math.log(1 - random.nextDouble()) * GAP_MEAN_MILLIS);
    }

    /** As likely within each power of two. */
    private static Duration lasts(SplittableRandom random, long minMillis) {
        double power = Math.log((double) LASTS_MILLIS_MAX / minMillis) * random.nextDouble();
        return Duration.ofMillis((long) (minMillis * Math.exp(power)));
    }

    private static FaultKind kind(SplittableRandom random, List<FaultKind> kinds) {
        int[] bounds = kinds.stream().mapToInt(FaultKind::share).toArray();
        Arrays.parallelPrefix(bounds, Integer::sum);
        int at = random.nextInt(bounds[bounds.length - 1]);
        int place = 0;
        while (bounds[place] <= at) {
            place++;
        }
        return kinds.get(place);
    }
}
