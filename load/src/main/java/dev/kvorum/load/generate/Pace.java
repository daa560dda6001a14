package dev.kvorum.load.generate;

/** How requests arrive. */
public sealed interface Pace {
    /**
     * At a constant rate, whatever the answers do.
     *
     * @param perSecond   requests a second
     * @param inFlightMax requests begun and not yet answered; one that is due beyond that begins late, and its latency says so
     */
    record Open(double perSecond, int inFlightMax) implements Pace {}

    /** The next request of each client when its last was answered: hides stalls, so it is for finding a peak only. */
    record Closed(int clients) implements Pace {}
}
