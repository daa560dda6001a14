package dev.kvorum.simulation.node;

import dev.kvorum.history.Answer;
import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.Request;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.node.verification.Verifications;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.network.PeerDoor;
import dev.kvorum.simulation.network.PeerLine;
import dev.kvorum.simulation.network.Station;
import dev.kvorum.simulation.node.NodeProcess.Place;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.MachineClock;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Where a node runs: a disk and clocks that outlive it, an address, and a process or none. */
public final class Machine implements Station {
    /** An orderly stop waits so long for writes, in nanoseconds. */
    private static final long DRAIN_MAX = 10_000_000_000L;

    private static final long DRAIN_LOOK = 5_000_000;

    /** How often a process looks at the topology file. */
    private static final long FILE_LOOK = 1_000_000_000;

    /** How long the topology file of a machine that starts is the one that it was stopped with. */
    private static final long UPDATE_MAX = 3_000_000_000L;

    private static final long RESTART = 1_000_000_000;

    private final String name;
    private final World world;
    private final CoreSettings settings;
    private final Chance chance;
    private final SimulatedDisk disk;
    private final MachineClock clock;
    private final ClientRequests clients;
    private @Nullable NodeProcess process;
    private Topology file;
    private Topology published;
    private boolean powered = true;
    private boolean closing;
    private boolean startsAgain;
    private boolean isRefused;
    private int lives;
    private int freezes;
    private boolean hasLostDisk;
    private @Nullable UUID older; // The incarnation of a disk that was put back from a copy; nobody may have noticed.

    /**
     * @param name of the member that lives here, and its host name
     * @param file the topology file, as it is found here at first
     */
    Machine(String name, World world, Topology file, CoreSettings settings, Chance chance) {
        this.name = name;
        this.file = file;
        this.published = file;
        this.world = world;
        this.settings = settings;
        this.chance = chance;
        this.disk = new SimulatedDisk(world.timeline(), chance.branch(), world.disks());
        this.clock = new MachineClock(world.timeline());
        this.clients = new ClientRequests(name, settings.quorum().deadline().toNanos(), world.bugs());
        world.network().connect(name, this);
    }

    public String name() {
        return name;
    }

    public SimulatedDisk disk() {
        return disk;
    }

    public MachineClock clock() {
        return clock;
    }

    @Override
    public boolean isUp() {
        return powered;
    }

    @Override
    public @Nullable PeerDoor door() {
        return process == null ? null : process.door();
    }

    @Override
    public @Nullable PeerLine line() {
        return process == null ? null : process.line();
    }

    /** Which life of its node this is, counted from 1; that of the last one while there is none. */
    public int life() {
        return lives;
    }

    /** As whoever changes the members is told; null where no process runs. */
    @Nullable
    MemberReport report() {
        return process == null ? null : process.report();
    }

    /** The same for a member that starts; null where none answers. */
    @Nullable
    MemberReport answeredReport() {
        return freezes > 0 ? null : report();
    }

    /** How long its process has been alive, by itself; null where none answers. */
    @Nullable
    MemberLife alive() {
        return process == null || freezes > 0 ? null : process.alive();
    }

    /** How far it remembers another's disk to have come; null where no process answers. */
    @Nullable
    Progress remembered(String member, UUID incarnation) {
        return process == null || freezes > 0 ? null : process.remembered(member, incarnation);
    }

    /** The topology that its process goes by; null where none answers. */
    @Nullable
    Topology topology() {
        return process == null || freezes > 0
                ? null
                : process.membership().view().topology();
    }

    void settle(long epoch, Set<String> gone) {
        NodeProcess told = process;
        if (told != null) {
            told.life().run(() -> told.settle(epoch, gone));
        }
    }

    /** Whether a process runs here that goes by this epoch, and will do so after the loss of its disk. */
    boolean goesBy(long epoch) {
        NodeProcess asked = process;
        return asked != null
                && file.epoch() == epoch
                && asked.membership().view().epoch() == epoch;
    }

    /** Whether no process runs here. */
    boolean isDown() {
        return process == null;
    }

    /** Its disk is replaced by an empty one. */
    void loseDisk() {
        disk.wipe();
        hasLostDisk = true;
    }

    /**
     * A bit flips in a cell on its disk.
     *
     * @return whether there was a cell
     */
    boolean rot(double which, double where) {
        boolean done = disk.flip(which, where);
        hasLostDisk |= done;
        return done;
    }

    /** As {@link #rot}, with a whole cell that belongs somewhere else. */
    boolean misdirect(double which) {
        boolean done = disk.misdirect(which);
        hasLostDisk |= done;
        return done;
    }

    /**
     * Its log is damaged in the middle. No process must run.
     *
     * @param how much of its end is lost, from 0 to 1; above 1 a file is gone
     * @return whether there was anything
     */
    boolean damageLog(double how) {
        if (how > 1) {
            disk.loseFile();
        }
        boolean done = how > 1 || disk.damageLog(how);
        hasLostDisk |= done;
        return done;
    }

    /**
     * A copy of its disk is put back.
     *
     * @return whether there was one
     */
    boolean putBack() {
        boolean done = disk.putBack();
        if (done) {
            hasLostDisk = true;
            older = disk.incarnation(name);
        }
        return done;
    }

    /** Whether it has all that it once held, as far as anybody can tell now. */
    boolean isWhole() {
        return !isOlder() && (!hasLostDisk || isRebuilt());
    }

    /** Whether its process has again all that others held of what its disk has lost. */
    boolean hasRegained() {
        return !isOlder() && isRebuilt();
    }

    private boolean isOlder() {
        return older != null && older.equals(disk.incarnation(name));
    }

    private boolean isRebuilt() {
        return process != null && rebuilding() == 0 && !disk.isRotten();
    }

    /** How many registers of its process may be open. */
    long openRegisters() {
        return process == null ? 0 : process.openRegisters();
    }

    /** Starts the node, unless it runs; one that is being stopped in order is started when it has ended. */
    void start(Cluster cluster) {
        powered = true;
        if (process != null) {
            startsAgain = closing;
            return;
        }
        if (file.member(name).isEmpty()) {
            world.trace().note(name, "refuses to start, as the topology does not name it", file.epoch());
            return;
        }
        lives++;
        isRefused = false;
        closing = false;
        startsAgain = false;
        ProcessLife life = new ProcessLife(world.timeline(), clock, lives);
        PeerLine line = new PeerLine(
                name, life, world.timeline(), world.network(), settings.peer().timeout(), chance.branch());
        Place place = new Place(
                name, file, settings, disk, cluster.neighboursOf(name), world.bugs(), () -> endItself(cluster, life));
        try {
            process = new NodeProcess(place, life, line, chance.branch());
        } catch (LostDataException e) {
            refuse(cluster, life, e);
            return;
        }
        if (freezes > 0) {
            life.freeze();
        }
        world.trace().note(name, "starts", lives);
        var _ = life.after(chance.from(0, UPDATE_MAX), this::update);
    }

    /** The node does not start, and its supervisor tries again, unless somebody does something about it before. */
    private void refuse(Cluster cluster, ProcessLife life, LostDataException reason) {
        life.end();
        world.trace().note(name, "refuses to start", lives, () -> reason.getMessage() + ". " + reason.remedy());
        int refused = lives;
        isRefused = true;
        var _ = world.timeline().after(RESTART, () -> {
            if (isRefused && refused == lives) {
                start(cluster);
            }
        });
    }

    /** Whether its node does not start by itself, as that might lose what several members have together. */
    boolean isRefused() {
        return isRefused;
    }

    /** The topology file that it starts with for the first time. */
    void install(Topology first) {
        file = first;
        published = first;
    }

    /** Another topology file is found here from now on; a process sees it when it looks next. Where none runs, the former is found until it does. */
    void find(Topology newer) {
        published = newer.epoch() > published.epoch() ? newer : published;
        if (process != null) {
            update();
        }
    }

    private void update() {
        Topology newer = published;
        file = newer;
        NodeProcess reader = process;
        if (reader != null) {
            var _ = reader.life()
                    .after(chance.from(0, FILE_LOOK), () -> reader.membership().offer(newer));
        }
    }

    /** The process ends at once; connections are closed by the system. */
    void kill(Cluster cluster) {
        isRefused = false;
        NodeProcess ending = process;
        if (ending != null) {
            process = null;
            ending.life().end();
            world.trace().note(name, "ends", lives);
            ending.line().hangUp(cluster.names());
            clients.hangUp();
        }
    }

    /** Its process ends by itself, and a supervisor starts it again. */
    private void endItself(Cluster cluster, ProcessLife life) {
        world.trace().note(name, "ends itself", lives);
        life.end();
        var _ = world.timeline().after(RESTART, () -> {
            if (process != null && process.life() == life) {
                kill(cluster);
                start(cluster);
            }
        });
    }

    /** The process ends in order: no more requests, then no more writes, then all is on the disk. */
    void stop(Cluster cluster) {
        isRefused = false;
        if (process != null && !closing) {
            closing = true;
            awaitDrained(cluster, process, world.timeline().now() + DRAIN_MAX);
        }
    }

    private void awaitDrained(Cluster cluster, NodeProcess stopping, long end) {
        if (stopping.isDrained() || world.timeline().now() >= end) {
            stopping.close();
            kill(cluster);
            if (startsAgain) {
                start(cluster);
            }
        } else {
            var _ = stopping.life().after(DRAIN_LOOK, () -> awaitDrained(cluster, stopping, end));
        }
    }

    /**
     * The power fails: nobody hears anything, and what was not on the disk yet is gone.
     *
     * @return what is gone, or null
     */
    @Nullable
    DiskLoss losePower() {
        isRefused = false;
        if (process != null) {
            process.life().end();
            process = null;
        }
        powered = false;
        clients.forget();
        world.trace().note(name, "loses power", lives);
        var lost = disk.loseTail();
        if (disk.hasLost()) { // What is left is not used any more.
            hasLostDisk = true;
            return new DiskLoss(name, 0, world.timeline().now());
        }
        return lost.isPresent()
                ? new DiskLoss(name, lost.getAsLong(), world.timeline().now())
                : null;
    }

    void freeze() {
        freezes++;
        if (process != null) {
            process.life().freeze();
        }
    }

    void thaw() {
        freezes--;
        if (process != null && freezes == 0) {
            process.life().thaw();
        }
    }

    /**
     * A request of a client arrives.
     *
     * @param answer told once, unless the power fails first
     */
    void serve(Request request, boolean saysQuorum, Consumer<Answer> answer) {
        if (!powered) {
            return;
        }
        NodeProcess asked = process;
        if (asked == null || closing) {
            answer.accept(Answer.failed());
        } else {
            clients.serve(asked.life(), request, Mono.defer(() -> asked.serve(request, saysQuorum)), answer);
        }
    }

    void repairAll() {
        NodeProcess repairing = process;
        if (repairing != null) {
            repairing.life().run(() -> repairing.repair().repairAll());
        }
    }

    /** Up to which time its process has a partition verified. */
    long verified(int partition) {
        return process == null ? Verifications.NEVER : process.repair().verifiedAt(partition);
    }

    /** How many hints its process has kept. */
    long hintsKept() {
        return process == null ? 0 : process.hintsKept();
    }

    /** How many hints wait on its disk to be brought; 0 where no process runs. */
    long hintsWaiting() {
        return process == null ? 0 : process.hintsWaiting();
    }

    /** How many partitions its process has not regained; 0 where none runs. */
    int rebuilding() {
        return process == null ? 0 : process.repair().rebuilding();
    }

    /** What its process still holds though nothing is under way, in words; empty if nothing is. */
    String leftovers() {
        return process == null ? "" : process.leftovers();
    }
}
