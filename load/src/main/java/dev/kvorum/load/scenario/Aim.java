package dev.kvorum.load.scenario;

import java.time.Duration;

/** What a variant's load aims at. */
public sealed interface Aim {
    /** A constant rate of requests a second: the open model. */
    record Rate(double perSecond) implements Aim {}

    /** The peak, by clients that each wait for their answer. */
    record Closed(int clients) implements Aim {}

    /**
     * The highest rate with a p99 below the bound and without an error, by bisection.
     *
     * @param low      a rate that is surely good
     * @param high     a rate that is surely not
     * @param step     length of each try
     * @param p99Millis the bound
     */
    record Search(double low, double high, Duration step, double p99Millis) implements Aim {}

    /**
     * A normal load, an overload, and the normal load again.
     *
     * @param clients     that find the peak in a closed loop
     * @param factor      offered load as a multiple of the peak
     * @param normalShare normal load as a share of the peak
     */
    record Overload(int clients, double factor, double normalShare) implements Aim {}
}
