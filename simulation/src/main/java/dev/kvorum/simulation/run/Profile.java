package dev.kvorum.simulation.run;

import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.simulation.client.Workload;
import dev.kvorum.simulation.disk.DiskWeather;
import dev.kvorum.simulation.disk.SimulatedDisk.Stamp;
import dev.kvorum.simulation.fault.FaultKind;
import dev.kvorum.simulation.network.Weather;
import dev.kvorum.simulation.node.OperatorSettings;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What cluster, load and faults a seed stands for. Each seed has some kinds of faults only and its own frequencies: a run in which everything
 * goes wrong all the time seldom gets to where something rare goes wrong.
 *
 * <p>Source: Groce et al., "Swarm testing" (2012).
 *
 * @param changes how members change, if they do
 */
record Profile(
        Topology topology,
        OperatorSettings changes,
        CoreSettings settings,
        Surroundings surroundings,
        Workload workload,
        Clients clients,
        Clocks clocks,
        FaultProfile faults) {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final int PARTITIONS = 8;
    private static final int KEYS_MAX = 200;
    private static final int FACTOR = 3;
    private static final double CALM = 0.1;
    private static final double AGES = 0.15;
    private static final long USUAL_THINK = 15 * MILLI;
    private static final long AGING_THINK = 60 * MILLI;
    private static final double PASSING = 0.3;
    private static final double DISK_LOSS = 0.1;
    private static final double CHANGING = 0.7;
    private static final double ABSENT = 0.4;
    static final int SPARES_MAX = 3;
    private static final double DRIFT_MAX = 2e-4;
    private static final List<Integer> SIZES = List.of(1, 2, 3, 3, 3, 3, 4, 5, 5, 7);
    private static final List<Long> SKEWS = List.of(0L, 5L, 200L, 2_000L, 30_000L);

    /**
     * What goes wrong.
     *
     * @param gapMean from the beginning of a fault to that of the next on average, in nanoseconds
     * @param lastsMax how long one lasts at most
     */
    record FaultProfile(List<FaultKind> kinds, long gapMean, long lastsMax) {}

    /** How messages and disks behave. */
    record Surroundings(Weather weather, DiskWeather disks) {}

    /**
     * Those who use it, and for how long.
     *
     * @param loyalty how likely a client stays with the same node
     * @param lasts virtual time with load and faults, in nanoseconds
     * @param ages whether that is so long, compared with the grace period, that deletions are dropped
     */
    record Clients(int count, double loyalty, long lasts, boolean ages) {}

    /**
     * How wrong clocks are.
     *
     * @param skewMillisMax at most when it begins
     * @param driftMax how wrongly they run at most
     */
    record Clocks(long skewMillisMax, double driftMax) {}

    /** Without faults, and without anything that is as bad: then all replicas take all writes, and must be alike in the end. */
    boolean isCalm() {
        return faults.kinds.isEmpty();
    }

    boolean has(FaultKind kind) {
        return faults.kinds.contains(kind);
    }

    /** The same with other faults, and what goes with them. */
    Profile with(OperatorSettings others, CoreSettings otherSettings, Workload load, FaultProfile otherFaults) {
        return new Profile(topology, others, otherSettings, surroundings, load, clients, clocks, otherFaults);
    }

    /** The same with clocks that differ by so much. */
    Profile withClocks(long skewMillis, double drift) {
        return with(new Clocks(skewMillis, drift));
    }

    private Profile with(Clocks others) {
        return new Profile(topology, changes, settings, surroundings, workload, clients, others, faults);
    }

    /** The same with others who use it, and for so long. */
    Profile withClients(int count, double loyal, long nanos) {
        return with(new Clients(count, loyal, nanos, clients.ages));
    }

    /** The same, so long that deletions are dropped. */
    Profile aging() {
        return with(new Clients(clients.count, clients.loyalty, clients.lasts, true));
    }

    private Profile with(Clients others) {
        return new Profile(topology, changes, settings, surroundings, workload, others, clocks, faults);
    }

    static Profile of(Chance chance) {
        Topology topology = topology(chance);
        boolean calm = chance.is(CALM);
        boolean ages = !calm && chance.is(AGES);
        FaultProfile faults = calm ? new FaultProfile(List.of(), 0, 0) : faults(topology, ages, chance);
        boolean changes = faults.kinds.contains(FaultKind.MEMBERSHIP_CHANGE);
        boolean mayBeDown = changes && faults.kinds.contains(FaultKind.ABSENCE);
        OperatorSettings operator = changes
                ? OperatorSettings.prompt(spares(topology, chance.from(1, SPARES_MAX)), mayBeDown ? 1 : 0)
                : OperatorSettings.NONE;
        CoreSettings settings = SettingsDraw.of(chance, calm, ages);
        Surroundings surroundings = new Surroundings(weather(chance), disks(chance));
        Workload workload = workload(
                changes ? FACTOR : topology.members().size(),
                changes ? FACTOR : 1,
                mayBeDown ? 2 : 1,
                ages ? AGING_THINK : USUAL_THINK,
                chance);
        int count = chance.from(1, 10);
        double loyalty = chance.is(0.5) ? 0 : chance.fraction();
        Clocks clocks =
                new Clocks(calm ? 0 : chance.oneOf(ages ? SKEWS.subList(0, 3) : SKEWS), chance.is(0.5) ? 0 : DRIFT_MAX);
        long lasts = ages
                ? chance.from(60 * SECOND, 180 * SECOND)
                : chance.from(5 * SECOND, changes ? 60 * SECOND : 30 * SECOND);
        Clients clients = new Clients(count, loyalty, lasts, ages);
        return new Profile(topology, operator, settings, surroundings, workload, clients, clocks, faults);
    }

    private static Topology topology(Chance chance) {
        int size = chance.oneOf(SIZES);
        int zones = chance.is(0.5) ? size : chance.from(1, size);
        List<Member> members = IntStream.rangeClosed(1, size)
                .mapToObj(number -> member("n" + number, "z" + number % zones))
                .toList();
        return new Topology("simulated", 1, FACTOR, PARTITIONS, members);
    }

    private static Member member(String id, String zone) {
        URI api = URI.create("http://" + id + ":8080");
        return new Member(
                id, api, URI.create("http://" + id + ":9090"), zone, MemberState.ACTIVE, 1, Stamp.incarnation(id, 0));
    }

    private static Weather weather(Chance chance) {
        return new Weather(
                chance.spread(20 * MICRO, 2 * MILLI),
                chance.spread(20 * MICRO, 20 * MILLI),
                chance.is(0.5) ? 0 : 0.02,
                chance.spread(MILLI, SECOND),
                chance.is(0.5));
    }

    private static DiskWeather disks(Chance chance) {
        return new DiskWeather(
                chance.spread(5 * MICRO, 500 * MICRO),
                chance.spread(100 * MICRO, 20 * MILLI),
                chance.spread(10 * MICRO, 2 * MILLI),
                chance.fraction());
    }

    /**
     * What clients do.
     *
     * @param owners how many there are at any time
     * @param fromMin of how many replicas each request asks for at least: the same for all where members change
     * @param ackMin how many replicas each request waits for at least
     * @param thinkMin how long a busy client waits between two requests on average
     */
    private static Workload workload(int owners, int fromMin, int ackMin, long thinkMin, Chance chance) {
        List<Quorum> all = new ArrayList<>();
        for (int from = fromMin; from <= owners; from++) {
            for (int ack = ackMin; ack <= from; ack++) {
                all.add(new Quorum(ack, from));
            }
        }
        return new Workload(
                (int) chance.spread(1, KEYS_MAX),
                chance.spread(thinkMin, 20 * thinkMin),
                0.2 + 0.6 * chance.fraction(),
                chance.is(0.3) ? 0 : 0.4 * chance.fraction(),
                chance.some(chance.from(1, 4), all),
                chance.fraction(),
                majorityOf(Math.min(FACTOR, owners)),
                chance.is(0.8) ? 0 : 0.2);
    }

    /** By the client's own reckoning. */
    private static Quorum majorityOf(int from) {
        return new Quorum(from / 2 + 1, from);
    }

    static List<Member> spares(Topology topology, int count) {
        int size = topology.members().size();
        return IntStream.rangeClosed(size + 1, size + count)
                .mapToObj(number -> member("n" + number, "z" + number % size))
                .toList();
    }

    private static FaultProfile faults(Topology topology, boolean ages, Chance chance) {
        List<FaultKind> all = new ArrayList<>(FaultKind.common());
        if (ages) { // Against a grace period of days they are nothing.
            all.remove(FaultKind.CLOCK_JUMP);
            all.remove(FaultKind.CLOCK_DRIFT);
        }
        if (topology.members().size() < FACTOR || !chance.is(CHANGING)) {
            all.remove(FaultKind.MEMBERSHIP_CHANGE);
        }
        if (chance.is(PASSING)) { // They excuse nothing, and all replicas must agree in the end.
            all.removeIf(kind -> !kind.isPassing());
        }
        if (!chance.is(DISK_LOSS)) { // It excuses much: too much for every run.
            all.remove(FaultKind.DISK_LOSS);
        }
        List<FaultKind> some = new ArrayList<>(chance.some(chance.from(1, all.size()), all));
        if (some.contains(FaultKind.MEMBERSHIP_CHANGE) && chance.is(ABSENT)) {
            some.removeIf(kind -> chance.is(0.5));
            some.add(FaultKind.MEMBERSHIP_CHANGE); // Twice as often.
            some.add(FaultKind.ABSENCE);
        }
        return new FaultProfile(some, chance.spread(SECOND / 5, 5 * SECOND), chance.spread(SECOND / 2, 10 * SECOND));
    }
}
