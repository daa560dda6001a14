package dev.kvorum.load.generate;

import java.util.SplittableRandom;

/** Which key the next request asks for: numbers from 0 up to, but not including, the number of keys. One thread only. */
@FunctionalInterface
public interface KeyChoice {
    long next();

    /** Every key as often as every other, in random order. */
    static KeyChoice uniform(long keys, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> random.nextLong(keys);
    }

    /** One key after the other, from 0 again after the last. */
    static KeyChoice inTurn(long keys) {
        return new KeyChoice() {
            private long next;

            @Override
            public long next() {
                long key = next;
                next = key + 1 == keys ? 0 : key + 1;
                return key;
            }
        };
    }
}
