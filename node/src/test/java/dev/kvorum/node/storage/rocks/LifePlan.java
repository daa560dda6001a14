package dev.kvorum.node.storage.rocks;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed draws for one life of a store.
 *
 * @param end how it ends
 * @param share operations of each caller, after which the store is closed in order
 * @param toldMax lines that it tells until it is killed, also those of its syncs
 * @param pauseMillis how much longer it then lives
 */
record LifePlan(End end, int share, int toldMax, int pauseMillis) {
    private static final int SHARE_MAX = 100_000; // Never done: it is killed.
    private static final int LINES_MIN = 150; // Then all has been read once.
    private static final int LINES_MAX = 12_000;
    private static final int OPENING_LINES =
            14; // About: a life that finds something tells about as many until it is open.
    private static final int READING_LINES = 60;
    private static final int PAUSE_MILLIS_MAX = 60;

    /** How a life ends. */
    enum End {
        CLOSED,
        KILLED,
        POWER,
        ROT
    }

    /** The lives of a store. The last is closed, so that it reads what the others have left. */
    static List<LifePlan> draw(SplittableRandom random) {
        List<LifePlan> plans = new ArrayList<>();
        if (random.nextInt(5) == 0) {
            plans.add(opening(random)); // Of a store that is not there yet.
        }
        int lives = random.nextInt(1, 4);
        for (int i = 1; i <= lives; i++) {
            End end = i == lives ? last(random) : end(random);
            add(plans, end, random);
            if (end == End.ROT) {
                add(plans, end(random), random);
            }
        }
        plans.add(of(End.CLOSED, random));
        return plans;
    }

    private static void add(List<LifePlan> plans, End end, SplittableRandom random) {
        plans.add(of(end, random));
        while (random.nextInt(5) < 2) {
            plans.add(opening(random));
        }
    }

    private static End end(SplittableRandom random) {
        int drawn = random.nextInt(20);
        return drawn < 2 ? End.CLOSED : drawn < 8 ? End.KILLED : End.POWER;
    }

    /** Damage comes late: the verdict is less strict behind it. */
    private static End last(SplittableRandom random) {
        int drawn = random.nextInt(20);
        return drawn < 2 ? End.CLOSED : drawn < 5 ? End.KILLED : drawn < 12 ? End.POWER : End.ROT;
    }

    private static LifePlan of(End end, SplittableRandom random) {
        if (end == End.CLOSED) {
            return new LifePlan(end, random.nextInt(10, 60), Integer.MAX_VALUE, 0);
        }
        int lines = random.nextInt(3) == 0 ? random.nextInt(LINES_MIN, 1000) : random.nextInt(1000, LINES_MAX);
        return new LifePlan(end, SHARE_MAX, lines, 0);
    }

    /** A life that ends while it opens the store, or reads what it has found. */
    private static LifePlan opening(SplittableRandom random) {
        int lines = random.nextInt(1, random.nextInt(3) == 0 ? READING_LINES : OPENING_LINES);
        int pause = random.nextBoolean() ? 0 : random.nextInt(PAUSE_MILLIS_MAX);
        return new LifePlan(random.nextInt(3) == 0 ? End.KILLED : End.POWER, SHARE_MAX, lines, pause);
    }

    /** Whether it is killed while it opens the store or reads what it has found. */
    boolean isCutShort() {
        return toldMax < LINES_MIN;
    }
}
