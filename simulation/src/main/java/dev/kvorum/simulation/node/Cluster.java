package dev.kvorum.simulation.node;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Copy;
import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.Request;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.core.CoreSettings;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.simulation.disk.SimulatedStore;
import dev.kvorum.simulation.network.Network;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All machines of a cluster, and what can be done to them. */
public final class Cluster {
    /** How long a published topology takes to a machine at most, unless it takes longer at least, in nanoseconds. */
    private static final long PUBLISHING_MAX = 3_000_000_000L;

    private static final long LOOK = 100_000_000;

    private final World world;
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final List<DiskLoss> losses = new ArrayList<>();
    private final List<Member> spares;
    private final Operator operator;
    private final long publishingMin;
    private final Chance chance;
    private Topology topology;
    private boolean losesOne;

    /**
     * Makes a machine for each member and for each that may become one, and starts none.
     *
     * @param changes how members change
     */
    public Cluster(World world, Topology topology, OperatorSettings changes, CoreSettings settings, Chance chance) {
        this.world = world;
        this.topology = topology;
        this.chance = chance.branch();
        this.spares = new ArrayList<>(changes.spares());
        this.publishingMin = changes.publishingMin();
        this.operator = new Operator(this, changes.downMax());
        for (Member member :
                Stream.concat(topology.members().stream(), spares.stream()).toList()) {
            machines.put(member.id(), new Machine(member.id(), world, topology, settings, chance.branch()));
        }
    }

    public World world() {
        return world;
    }

    public Network network() {
        return world.network();
    }

    public Topology topology() {
        return topology;
    }

    /** Publishes a topology: it comes to each machine in its own time. */
    public void publish(Topology next) {
        topology = next;
        spares.removeIf(spare -> next.member(spare.id()).isPresent());
        long takes = chance.spread(publishingMin, Math.max(publishingMin, PUBLISHING_MAX));
        machines.values().forEach(machine -> world.timeline().after(chance.from(0, takes), () -> machine.find(next)));
    }

    /** Who changes the members. */
    public Operator operator() {
        return operator;
    }

    /** Who may become members, and never were. */
    List<Member> spares() {
        return List.copyOf(spares);
    }

    /** Those that the topology names. */
    public List<String> memberNames() {
        return topology.members().stream().map(Member::id).toList();
    }

    /** All machines, also those of no members. */
    public List<String> names() {
        return List.copyOf(machines.keySet());
    }

    public List<Machine> machines() {
        return List.copyOf(machines.values());
    }

    public Machine machine(String name) {
        return Objects.requireNonNull(machines.get(name));
    }

    public void start(String name) {
        machine(name).start(this);
    }

    /** Starts those who join with the topology that names them. */
    void startWith(List<Member> joining) {
        joining.forEach(member -> {
            machine(member.id()).install(topology);
            start(member.id());
        });
    }

    public void startAll() {
        memberNames().forEach(this::start);
    }

    /** As {@code kill -9}. */
    public void kill(String name) {
        machine(name).kill(this);
    }

    /** As {@code SIGTERM}. */
    public void stop(String name) {
        machine(name).stop(this);
    }

    /** As {@code SIGSTOP}. */
    public void freeze(String name) {
        machine(name).freeze();
    }

    /** As {@code SIGCONT}. */
    public void thaw(String name) {
        machine(name).thaw();
    }

    public void losePower(String name) {
        Machine machine = machine(name);
        if (!mayLose(machine)) {
            machine.disk().tellTruth();
        }
        DiskLoss loss = machine.losePower();
        if (loss != null) {
            lost(loss);
        }
    }

    /** Whether the disk of that machine may lose what was on it: no more than one at a time, where that is so. */
    private boolean mayLose(Machine machine) {
        return !losesOne || machines.values().stream().allMatch(other -> other == machine || other.isWhole());
    }

    /** All machines lose power at once. */
    public void blackOut() {
        names().forEach(this::losePower);
    }

    /**
     * The machine's process ends, and its log is damaged in the middle, or a file of its database is gone: no more than a replica can do without, as of lost disks.
     *
     * @param how much of its end is lost, from 0 to 1; above 1 a file is gone
     */
    public void damageLog(String name, double how) {
        Machine machine = machine(name);
        machine.kill(this);
        if (mayLose(machine) && machine.damageLog(how)) {
            lost(new DiskLoss(name, 0, world.timeline().now()));
        }
    }

    /** A cell on the machine's disk is overwritten with another: as {@link #rot}. */
    public void misdirect(String name, double which) {
        Machine machine = machine(name);
        if (mayLose(machine) && machine.misdirect(which)) {
            lost(new DiskLoss(name, 0, world.timeline().now()));
        }
    }

    /**
     * The next epoch has two contents: all members but one get the one. When they go by it, the one that was off meanwhile begins by the other: too few to decide anything.
     *
     * @param mistaken the member that gets the other
     */
    public void publishTwo(String mistaken, Topology next, Topology other) {
        topology = next;
        world.bugs().expect("Epoch " + next.epoch() + " has two contents");
        kill(mistaken);
        names().stream()
                .filter(name -> !name.equals(mistaken))
                .forEach(name -> machine(name).find(next));
        startByOther(mistaken, other);
    }

    private void startByOther(String mistaken, Topology other) {
        if (topology.epoch() != other.epoch() || !machine(mistaken).isDown()) {
            start(mistaken);
        } else if (memberNames().stream()
                .allMatch(name -> name.equals(mistaken) || machine(name).goesBy(other.epoch()))) {
            machine(mistaken).install(other);
            start(mistaken);
        } else {
            world.timeline().after(LOOK, () -> startByOther(mistaken, other));
        }
    }

    /** From now on no disk is lost while another has not been rebuilt. */
    public void loseOneAtATime() {
        losesOne = true;
    }

    /** The machine fails, and its disk is replaced by an empty one. */
    public void loseDisk(String name) {
        Machine machine = machine(name);
        if (!mayLose(machine)) {
            losePower(name);
            return;
        }
        var _ = machine.losePower();
        machine.loseDisk();
        lost(new DiskLoss(name, 0, world.timeline().now()));
    }

    /** Somebody makes a copy of the machine's disk. */
    public void copyDisk(String name) {
        machine(name).disk().copy();
    }

    /** The machine fails, and the last copy of its disk is put back: no more than a replica can do without, as of lost disks. */
    public void putBackDisk(String name) {
        Machine machine = machine(name);
        losePower(name);
        if (mayLose(machine) && machine.putBack()) {
            lost(new DiskLoss(name, 0, world.timeline().now()));
        }
        machine.start(this);
    }

    /**
     * A bit flips in a cell on the machine's disk: no more than a replica can do without, as of lost disks.
     *
     * @param which cell, and
     * @param where in it: from 0 to 1
     */
    public void rot(String name, double which, double where) {
        Machine machine = machine(name);
        if (mayLose(machine) && machine.rot(which, where)) {
            lost(new DiskLoss(name, 0, world.timeline().now()));
        }
    }

    public boolean isAnyRefused() {
        return machines.values().stream().anyMatch(Machine::isRefused);
    }

    /** Somebody decides where members do not start by themselves, as several have lost data at a time: they begin as empty ones. */
    public void emptyRefused() {
        machines.values().stream().filter(Machine::isRefused).forEach(machine -> {
            if (!machine.disk().hasLost()) {
                world.bugs().add(machine.name() + " refuses to start though its disk has lost nothing");
            }
            world.trace().note(machine.name(), "is emptied by hand", topology.epoch());
            machine.loseDisk();
            lost(new DiskLoss(machine.name(), 0, world.timeline().now()));
            machine.start(this);
        });
    }

    /** Those that one reaches which starts. */
    Neighbours neighboursOf(String name) {
        return new Neighbours() {
            @Override
            public List<MemberLife> lives(ClusterView view) {
                return ask(view, Machine::alive);
            }

            @Override
            public List<Topology> topologies(ClusterView view) {
                return ask(view, Machine::topology);
            }

            @Override
            public List<Progress> progress(ClusterView view, UUID incarnation) {
                return ask(view, other -> other.remembered(name, incarnation));
            }

            @Override
            public List<MemberReport> reports(ClusterView view) {
                return ask(view, Machine::answeredReport);
            }

            private <T> List<T> ask(ClusterView view, Function<Machine, @Nullable T> question) {
                return view.peers().stream()
                        .map(Member::id)
                        .filter(other ->
                                network().isOpen(name, other) && !network().isMisled(other))
                        .map(other -> Optional.ofNullable(question.apply(machine(other))))
                        .flatMap(Optional::stream)
                        .toList();
            }

            @Override
            public void outlived() {
                world.trace().note(name, "was outlived", topology.epoch());
                lost(new DiskLoss(name, 0, world.timeline().now()));
            }
        };
    }

    /** A member that has left ends for good, and its disk is emptied. No loss: all of it has been moved. */
    void retire(String name) {
        Machine machine = machine(name);
        machine.kill(this);
        machine.disk().wipe();
        world.trace().note(name, "has left", topology.epoch());
    }

    /** A disk has lost something. Those that have regained by then what they had lost can give it to others. */
    private void lost(DiskLoss loss) {
        noteRegained();
        losses.add(loss);
    }

    private void noteRegained() {
        long now = world.timeline().now();
        losses.replaceAll(loss -> loss.isOpenAt(now) && machine(loss.node()).hasRegained()
                ? new DiskLoss(loss.node(), loss.since(), loss.at(), now)
                : loss);
    }

    /** What disks have lost, and when they had regained it at the latest. */
    public List<DiskLoss> losses() {
        noteRegained();
        return List.copyOf(losses);
    }

    /** How many hints wait to be brought. */
    public long hintsWaiting() {
        return machines.values().stream().mapToLong(Machine::hintsWaiting).sum();
    }

    /** Members that have not regained what their disks have lost. */
    public List<String> rebuilding() {
        return machines.values().stream()
                .filter(machine -> machine.rebuilding() > 0)
                .map(machine -> machine.name() + " still rebuilds " + machine.rebuilding() + " partitions")
                .toList();
    }

    /** A request of a client arrives at that machine; as {@link Machine#serve}. */
    public void serve(String name, Request request, boolean saysQuorum, Consumer<Answer> answer) {
        machine(name).serve(request, saysQuorum, answer);
    }

    /** What all disks hold of these keys. */
    public List<Copy> copies(List<String> keys) {
        List<Copy> copies = new ArrayList<>();
        ClusterView view = ClusterView.of(names().getFirst(), topology);
        keys.forEach(key -> copies.addAll(copies(view, key)));
        return copies;
    }

    private List<Copy> copies(ClusterView view, String name) {
        Key key = Key.of(name);
        byte[] storageKey = StorageKey.of(view.partitionOf(key), key);
        Map<String, @Nullable Cell> held = new LinkedHashMap<>();
        Cell newest = null;
        for (Machine machine : machines.values()) {
            byte[] bytes = machine.disk().held(SimulatedStore.CELLS).get(storageKey);
            Cell cell = bytes == null ? null : Cell.decode(bytes);
            held.put(machine.name(), cell);
            newest = Cell.newest(newest, cell);
        }
        int copies = newest == null ? 0 : Math.min(newest.copies(), view.ownerCount());
        List<String> owners = view.owners(key, copies).stream().map(Member::id).toList();
        return held.entrySet().stream()
                .map(entry -> copy(entry.getKey(), name, owners.contains(entry.getKey()), entry.getValue()))
                .toList();
    }

    private static Copy copy(String holder, String key, boolean owner, @Nullable Cell cell) {
        if (cell == null) {
            return new Copy(holder, key, owner, null, null);
        }
        String value = cell.isTombstone() ? null : ClientDoor.valueOf(cell);
        return new Copy(holder, key, owner, cell.version().toString(), value);
    }

    /** Has all members compare all partitions that they own, as an operator would. */
    public void repairAll() {
        machines.values().forEach(Machine::repairAll);
    }

    /** Of each partition, up to which time any member has it verified, in milliseconds since 1970. */
    public long[] verified() {
        long[] latest = new long[topology().partitions()];
        Arrays.setAll(
                latest,
                partition -> machines.values().stream()
                        .mapToLong(machine -> machine.verified(partition))
                        .max()
                        .orElseThrow());
        return latest;
    }

    /** Members of which registers may be open, a line each. */
    public List<String> openRegisters() {
        return machines.values().stream()
                .filter(machine -> machine.openRegisters() > 0)
                .map(machine -> machine.name() + " has " + machine.openRegisters() + " open registers")
                .toList();
    }

    /** How many hints the present processes have kept. */
    public long hintsKept() {
        return machines.values().stream().mapToLong(Machine::hintsKept).sum();
    }

    /** What processes still hold though nothing is under way, a line each. */
    public List<String> leftovers() {
        return machines.values().stream()
                .filter(machine -> !machine.leftovers().isEmpty())
                .map(machine -> machine.name() + " still holds " + machine.leftovers())
                .toList();
    }
}
