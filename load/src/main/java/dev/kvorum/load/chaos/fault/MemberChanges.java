package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.ChangeCommand;
import dev.kvorum.load.cluster.KnownMembers;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Changes the members while everything else goes on, one change at a time. A change is begun by a command, whose process is killed some time
 * later if it has not ended; others go on with it until it is final, or taken back.
 */
public final class MemberChanges {
    private static final Duration CHANGE_MAX = Duration.ofMinutes(3);
    private static final long COMMAND_MILLIS_MAX = 60_000;
    private static final long PAUSE_MILLIS = 500;
    private static final int MEMBERS_MIN = 4;
    private static final int MEMBERS_MAX = 6;

    private final LocalCluster cluster;
    private final Claims claims;
    private final ChangeCommand commands;
    private final FaultLog log;
    private final Turn turn;
    private final Ends ends;
    private final Set<NodeProcess> newcomers = ConcurrentHashMap.newKeySet();
    private final Set<NodeProcess> former = ConcurrentHashMap.newKeySet();

    /**
     * @param jar whose commands change the members
     * @param commandLog what those say
     */
    public MemberChanges(Scene scene, Path jar, Path commandLog) {
        this.cluster = scene.cluster();
        this.claims = scene.claims();
        this.commands = new ChangeCommand(jar, commandLog);
        this.log = scene.log();
        this.turn = scene.turn();
        this.ends = new Ends(scene.log());
    }

    /** Whether clients have come to know a node: not one that is yet to become a member. */
    public boolean isKnown(NodeProcess node) {
        return !newcomers.contains(node);
    }

    /** Whether a node has ceased to be a member, so that it will not be ready again. */
    boolean isFormer(NodeProcess node) {
        return former.contains(node);
    }

    /** Takes the turn for a change; not while another runs, while a disk has lost something, or where the members are too few or too many for it. */
    boolean takesTurn(FaultKind kind) {
        // While no change runs, each node is a member.
        return !turn.isTaken() && !isOutOfRange(kind, cluster.nodes().size()) && turn.take(Turn.Purpose.CHANGE);
    }

    /** Brings a change about whose turn was taken, to its end; whether it came about. */
    boolean befall(PlannedFault fault) throws IOException, InterruptedException {
        try {
            var _ = awaitKnown();
            return switch (fault.kind()) {
                case ADD_NODE -> add(fault);
                case CANCELLED_CHANGE -> addAndCancel(fault);
                case REMOVE_NODE -> remove(fault);
                case KILL,
                        KILL_ALL,
                        RESTART,
                        FREEZE,
                        FULL_DISK,
                        FULL_DISK_KILL,
                        CLOCK_STEP,
                        CLOCK_DRIFT,
                        CLOCK_START,
                        ROTTEN_FILE,
                        ROLLED_BACK,
                        WRONG_ADDRESS,
                        SWAPPED_ADDRESSES -> throw new IllegalStateException(fault.kind() + " changes no members");
            };
        } finally {
            turn.release();
        }
    }

    private static boolean isOutOfRange(FaultKind kind, int members) {
        return kind == FaultKind.REMOVE_NODE ? members <= MEMBERS_MIN : members >= MEMBERS_MAX;
    }

    /** The members, once any node tells of them, or all had their time for that. */
    private KnownMembers awaitKnown() throws InterruptedException {
        long deadline = System.nanoTime() + CHANGE_MAX.toNanos();
        KnownMembers now = members();
        while (!now.isKnown() && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE_MILLIS);
            now = members();
        }
        return now;
    }

    private KnownMembers members() throws InterruptedException {
        return cluster.members();
    }

    private boolean add(PlannedFault fault) throws IOException, InterruptedException {
        NodeProcess node = begin();
        boolean isDone = drive(
                fault, List.of(ChangeCommand.adding(node)), () -> members().isActive(node.id()));
        settle(node, "NOT a member  ");
        return isDone;
    }

    /** False if the node had become a member by then. */
    private boolean addAndCancel(PlannedFault fault) throws IOException, InterruptedException {
        NodeProcess node = begin();
        boolean isTakenBack = cancel(fault, node.id(), ChangeCommand.adding(node));
        return !settle(node, isTakenBack ? "cancelled  " : "NOT a member  ") && isTakenBack;
    }

    private NodeProcess begin() throws IOException {
        NodeProcess node = cluster.add();
        newcomers.add(node);
        log.add("add      " + node.id());
        return node;
    }

    /** Whether the node is a member; if not, it is ended. */
    private boolean settle(NodeProcess node, String otherwise) throws InterruptedException {
        boolean isMember = awaitKnown().isActive(node.id());
        if (isMember) {
            newcomers.remove(node);
            log.add("member   " + node.id());
        } else {
            log.add(otherwise + node.id());
            end(node);
        }
        return isMember;
    }

    private boolean remove(PlannedFault fault) throws IOException, InterruptedException {
        List<NodeProcess> choice = cluster.nodes();
        NodeProcess node = choice.get(fault.chance() % choice.size());
        log.add("remove   " + node.id());
        boolean isGone = drive(fault, List.of(ChangeCommand.removing(node)), () -> {
            KnownMembers members = members();
            return members.isKnown() && !members.names(node.id());
        });
        if (isGone) {
            log.add("removed  " + node.id());
            end(node);
        }
        return isGone;
    }

    /** Ends a node that is no member, once no fault is about it. */
    private void end(NodeProcess node) throws InterruptedException {
        former.add(node); // First: a fault that has it waits no more until it serves.
        claims.await(node);
        ends.stop(node);
        cluster.remove(node);
        newcomers.remove(node);
        claims.release(List.of(node));
    }

    /** Whether something has come about. */
    @FunctionalInterface
    private interface Condition {
        boolean holds() throws InterruptedException;
    }

    private boolean drive(PlannedFault fault, List<String> options, Condition end)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + CHANGE_MAX.toNanos();
        long patience = fault.lasts().toMillis(); // Then whoever drives is killed, once.
        while (!end.holds()) {
            if (System.nanoTime() > deadline) {
                log.complain("a change of the members was not final after " + CHANGE_MAX + ": " + members());
                return false;
            }
            boolean isRunning = members().isChanging();
            ChangeCommand.Running command = isRunning
                    ? commands.begin("resume", addressee(), List.of())
                    : commands.begin("start", addressee(), options);
            if (!command.isDoneWithin(patience)) {
                Thread.sleep(PAUSE_MILLIS);
            }
            patience = COMMAND_MILLIS_MAX;
        }
        return true;
    }

    /** Begins it, and takes it back; whether it had begun, and is neither running nor final. */
    private boolean cancel(PlannedFault fault, String id, String option) throws IOException, InterruptedException {
        ChangeCommand.Running command = commands.begin("start", addressee(), List.of(option));
        long deadline = System.nanoTime() + CHANGE_MAX.toNanos();
        boolean hasBegun = members().isChanging();
        while (!hasBegun && command.process().isAlive() && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE_MILLIS);
            hasBegun = members().isChanging();
        }
        var _ = command.isDoneWithin(fault.lasts().toMillis());
        log.add("cancel   " + id);
        for (KnownMembers now = members(); !now.isKnown() || now.isChanging(); now = members()) {
            if (System.nanoTime() > deadline) {
                log.complain("a change of the members could not be taken back within " + CHANGE_MAX + ": " + now);
                return false;
            }
            if (!commands.begin("cancel", addressee(), List.of()).isDoneWithin(COMMAND_MILLIS_MAX)) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        return hasBegun;
    }

    /** Any node that answers, the first as a rule: a command asks it who the members are. */
    private NodeProcess addressee() throws InterruptedException {
        for (NodeProcess node : cluster.nodes()) {
            if (isKnown(node) && cluster.membersToldBy(node).isKnown()) {
                return node;
            }
        }
        return cluster.nodes().getFirst();
    }
}
