package dev.kvorum.simulation.node;

import dev.kvorum.control.Settled;
import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.coordinator.Breadth;
import dev.kvorum.node.coordinator.FanOut;
import dev.kvorum.node.core.Arrival;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.node.core.DataGround;
import dev.kvorum.node.core.Load;
import dev.kvorum.node.core.NodeCore;
import dev.kvorum.node.core.Opened;
import dev.kvorum.node.core.Ports;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Repair;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.simulation.disk.SimulatedDirectory;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.disk.SimulatedStore;
import dev.kvorum.simulation.network.PeerDoor;
import dev.kvorum.simulation.network.PeerLine;
import dev.kvorum.simulation.network.SimulatedPeers;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.LifeScheduler;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import reactor.core.publisher.Mono;

/** One life of a node: the {@link NodeCore} of a real one, on simulated ports. Here is only what is simulated about it. */
final class NodeProcess {
    private final ProcessLife life;
    private final PeerLine line;
    private final Chance chance;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final UndecidedValues room = new UndecidedValues();
    private final SimulatedDirectory directory;
    private final SimulatedStore store;
    private final NodeCore core;
    private final ClientDoor clients;
    private final PeerDoor door;

    /**
     * Where it runs, and as whom.
     *
     * @param name the id of the member that it is
     * @param neighbours those whom it can ask before it serves anything
     * @param end ends it, for a supervisor to start it again
     */
    record Place(
            String name,
            Topology topology,
            CoreSettings settings,
            SimulatedDisk disk,
            Neighbours neighbours,
            Bugs bugs,
            Runnable end) {}

    /** @throws LostDataException if it refuses to start */
    NodeProcess(Place place, ProcessLife life, PeerLine line, Chance chance) {
        this.life = life;
        this.line = line;
        this.chance = chance;
        CoreSettings settings = place.settings();
        Ports ports = ports(place, new Sweeper(life, chance).deadlines());
        Membership membership = new Membership(place.name(), place.topology());
        Opened<SimulatedDirectory, SimulatedStore> opened = opened(place, membership);
        this.directory = opened.directory();
        this.store = opened.store();
        directory.noteRunning(settings.storage().durability());
        this.core = new NodeCore(membership, directory, store, ports, settings);
        this.clients = new ClientDoor(
                core.quorums(), core.reads(), core.writes(), new RegisterDoor(core.registers(), core::startSettling));
        this.door = new PeerDoor(identity(place), life, core.service(), place.bugs());
        core.start();
        core.startMovingData();
    }

    private Ports ports(Place place, Deadlines deadlines) {
        return new Ports(
                new SimulatedPeers(line),
                deadlines,
                this::wallMillis,
                chance.generator(),
                new LifeScheduler(life),
                new Load(fanOut(place.settings().read()), room, () -> false, () -> 0),
                meters,
                reason -> place.end().run());
    }

    private PeerIdentity identity(Place place) {
        return new PeerIdentity(place.topology().cluster(), place.name(), directory.incarnation(), directory.start());
    }

    /** How busy the processors are is a matter of chance here, as all else that comes from outside. */
    private FanOut fanOut(ReadSettings read) {
        return switch (read.fanOut()) {
            case ALL -> FanOut.ALL;
            case HEDGED -> FanOut.HEDGED;
            case ADAPTIVE -> () -> chance.is(0.5) ? Breadth.PROMPT : Breadth.NEEDED;
        };
    }

    private Opened<SimulatedDirectory, SimulatedStore> opened(Place place, Membership membership) {
        SimulatedDirectory found = SimulatedDirectory.claim(place.disk(), place.name(), wallMillis(), life.number());
        Duration grace = place.settings().repair().tombstoneGrace();
        Arrival arrival = new Arrival(membership, place.neighbours(), grace, this::wallMillis);
        SimulatedDirectory settled = arrival.settle(found, now -> {
            place.neighbours().outlived();
            return found.setAside(now);
        });
        return arrival.open(settled, new Ground(place));
    }

    /** The disk of this machine. */
    private final class Ground implements DataGround<SimulatedDirectory, SimulatedStore> {
        private final Place place;

        Ground(Place place) {
            this.place = place;
        }

        @Override
        public SimulatedStore open(SimulatedDirectory directory, long remembered) {
            CoreSettings settings = place.settings();
            return SimulatedStore.open(
                    life, place.disk(), remembered, settings.storage(), settings.hints(), place.bugs());
        }

        @Override
        public SimulatedDirectory becomeIncomplete(SimulatedDirectory directory, long now) {
            return directory.becomeIncomplete(now);
        }

        @Override
        public SimulatedDirectory setAside(SimulatedDirectory directory, long now) {
            if (!place.disk().hasLost()) {
                place.bugs().add(place.name() + " sets aside what it holds, and has lost nothing");
            }
            return directory.setAside(now);
        }
    }

    private long wallMillis() {
        return life.clock().wallMillis();
    }

    ProcessLife life() {
        return life;
    }

    PeerLine line() {
        return line;
    }

    PeerDoor door() {
        return door;
    }

    Membership membership() {
        return core.membership();
    }

    Repair repair() {
        return core.repair();
    }

    /** All members, but those that are gone, go by that epoch. */
    void settle(long epoch, Set<String> gone) {
        var _ = core.member().settle(new Settled(epoch, gone));
    }

    /** How long it has been alive. */
    MemberLife alive() {
        return core.alive();
    }

    /** How far it remembers another's disk to have come. */
    Progress remembered(String member, UUID incarnation) {
        return core.remembered().hear(member, Progress.none(incarnation));
    }

    /** What it says of itself to whoever changes the members. */
    MemberReport report() {
        return core.report();
    }

    /** Serves a request of a client; as {@link ClientDoor#serve}. */
    Mono<Answer> serve(Request request, boolean saysQuorum) {
        return clients.serve(request, saysQuorum);
    }

    /** Whether no write is under way, so that an orderly stop may go on. */
    boolean isDrained() {
        return core.inFlight().writes() == 0 && store.isQuiet();
    }

    /** How many hints it has kept in this life. */
    long hintsKept() {
        return (long) meters.get("kvorum.hints.stored").counter().count();
    }

    /** How many hints wait on its disk to be brought. */
    long hintsWaiting() {
        return store.hints().waiting().values().stream()
                .mapToLong(HintBacklog::hints)
                .sum();
    }

    /** How many registers may be open. */
    long openRegisters() {
        return (long) meters.get("kvorum.register.open").gauge().value();
    }

    /** The end of an orderly stop. */
    void close() {
        core.close();
        store.close();
        directory.noteEnded();
    }

    /** What is still held though nothing is under way, in words; empty if nothing is. */
    String leftovers() {
        int writes = core.inFlight().writes();
        String open = writes == 0 ? "" : writes + " writes in flight ";
        return open + (room.taken() == 0 ? "" : room.taken() + " bytes of undecided reads");
    }
}
