package dev.kvorum.load.generate;

import java.util.SplittableRandom;

/**
 * Keys by a zipf law: key k is asked for in proportion to {@code 1 / (k + 1)^exponent}, so that key 0 is the hottest. Rejection
 * inversion after Hoermann and Derflinger (1996): constant time and no table, whatever the number of keys.
 */
public final class ZipfKeys implements KeyChoice {
    private final long keys;
    private final double exponent;
    private final double areaToFirst;
    private final double areaToLast;
    private final double acceptedWithoutTest;
    private final SplittableRandom random;

    /** @param exponent above 0; 0.99 is the customary skew of caches */
    public ZipfKeys(long keys, double exponent, long seed) {
        this.keys = keys;
        this.exponent = exponent;
        this.areaToFirst = area(1.5) - 1;
        this.areaToLast = area(keys + 0.5);
        this.acceptedWithoutTest = 2 - areaInverse(area(2.5) - density(2));
        this.random = new SplittableRandom(seed);
    }

    @Override
    public long next() {
        while (true) {
            double area = areaToLast + random.nextDouble() * (areaToFirst - areaToLast);
            double x = areaInverse(area);
            long rank = Math.clamp(Math.round(x), 1, keys);
            if (rank - x <= acceptedWithoutTest || area >= area(rank + 0.5) - density((double) rank)) {
                return rank - 1;
            }
        }
    }

    private double density(double x) {
        return Math.exp(-exponent * Math.log(x));
    }

    /** The integral of the density from 1 to x. */
    private double area(double x) {
        double log = Math.log(x);
        double t = log * (1 - exponent);
        return Math.abs(t) > 1e-8 ? Math.expm1(t) / t * log : log * (1 + t / 2);
    }

    private double areaInverse(double area) {
        double t = Math.max(area * (1 - exponent), -1);
        double ratio = Math.abs(t) > 1e-8 ? Math.log1p(t) / t : 1 - t / 2;
        return Math.exp(ratio * area);
    }
}
