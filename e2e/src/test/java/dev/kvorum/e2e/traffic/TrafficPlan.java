package dev.kvorum.e2e.traffic;

import dev.kvorum.e2e.client.Quorum;

/**
 * How many clients do what.
 *
 * @param clients each has one request at a time
 * @param perSecond requests of all clients together; a client that is late does not catch up
 * @param keys of which each request takes one
 * @param valueBytes about how long values are
 * @param writePercent of the requests, 0 to 100
 * @param prefix of the keys
 */
public record TrafficPlan(
        int clients, int perSecond, int keys, int valueBytes, int writePercent, Quorum quorum, String prefix) {
    /** 8 clients, 200 requests a second, two of five are writes. */
    public static TrafficPlan calm(String prefix, Quorum quorum) {
        return new TrafficPlan(8, 200, 50, 20, 40, quorum, prefix);
    }

    public TrafficPlan withValuesOf(int bytes) {
        return new TrafficPlan(clients, perSecond, keys, bytes, writePercent, quorum, prefix);
    }

    public TrafficPlan withRate(int requestsPerSecond) {
        return new TrafficPlan(clients, requestsPerSecond, keys, valueBytes, writePercent, quorum, prefix);
    }

    public TrafficPlan withClients(int count) {
        return new TrafficPlan(count, perSecond, keys, valueBytes, writePercent, quorum, prefix);
    }

    public TrafficPlan withKeys(int count) {
        return new TrafficPlan(clients, perSecond, count, valueBytes, writePercent, quorum, prefix);
    }

    public TrafficPlan withWrites(int percent) {
        return new TrafficPlan(clients, perSecond, keys, valueBytes, percent, quorum, prefix);
    }
}
