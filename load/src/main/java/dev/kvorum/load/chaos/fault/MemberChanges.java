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
    }

    /** Whether clients have come to know a node: not one that is yet to become a member. */
    public boolean isKnown(NodeProcess node) {
        return !newcomers.contains(node);
    }

    /** Whether a node has ceased to be a member, so that it will not be ready again. */
    boolean isFormer(NodeProcess node) {
        return former.contains(node);
    }

    /** Brings a change about, to its end; skips it while another runs, while a disk has lost something, or where the members are too few or too many for it. */
    void befall(PlannedFault fault) throws IOException, InterruptedException {
        KnownMembers now = members();
        if (!now.isKnown() || isOutOfRange(fault.kind(), now.states().size()) || !turn.take(Turn.Purpose.CHANGE)) {
            log.add("skipped  " + fault.kind() + ": another change runs, a disk has lost something, or there are "
                    + now.states().size() + " members");
            return;
        }
        try {
            switch (fault.kind()) {
                case ADD_NODE -> add(fault, false);
                case CANCELLED_CHANGE -> add(fault, true);
                case REMOVE_NODE -> remove(fault, now);
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
            }
        } finally {
            turn.release();
        }
    }

    private static boolean isOutOfRange(FaultKind kind, int members) {
        return kind == FaultKind.REMOVE_NODE ? members <= MEMBERS_MIN : members >= MEMBERS_MAX;
    }

    private KnownMembers members() throws InterruptedException {
        return cluster.members();
    }

    private void add(PlannedFault fault, boolean isCancelled) throws IOException, InterruptedException {
        NodeProcess node = cluster.add();
        newcomers.add(node);
        log.add("add      " + node.id());
        String option = ChangeCommand.adding(node);
        boolean isDone = isCancelled
                ? cancel(fault, node.id(), option)
                : drive(fault, List.of(option), () -> members().isActive(node.id()));
        if (members().isActive(node.id())) {
            newcomers.remove(node);
            log.add("member   " + node.id());
        } else {
            log.add((isDone ? "cancelled  " : "NOT a member  ") + node.id());
            end(node);
        }
    }

    private void remove(PlannedFault fault, KnownMembers now) throws IOException, InterruptedException {
        List<NodeProcess> choice =
                cluster.nodes().stream().filter(node -> now.isActive(node.id())).toList();
        NodeProcess node = choice.get(fault.chance() % choice.size());
        log.add("remove   " + node.id());
        boolean isGone = drive(fault, List.of(ChangeCommand.removing(node)), () -> {
            KnownMembers members = members();
            return members.isKnown() && !members.names(node.id());
        });
        if (isGone) {
            log.add("removed  " + node.id());
            former.add(node);
            end(node);
        }
    }

    /** Ends a node that is no member, once no fault is about it. */
    private void end(NodeProcess node) throws InterruptedException {
        claims.await(node);
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

    /** Begins it, and takes it back; whether it is neither running nor final. */
    private boolean cancel(PlannedFault fault, String id, String option) throws IOException, InterruptedException {
        var _ = commands.begin("start", addressee(), List.of(option))
                .isDoneWithin(fault.lasts().toMillis());
        log.add("cancel   " + id);
        long deadline = System.nanoTime() + CHANGE_MAX.toNanos();
        for (KnownMembers now = members(); !now.isKnown() || now.isChanging(); now = members()) {
            if (System.nanoTime() > deadline) {
                log.complain("a change of the members could not be taken back within " + CHANGE_MAX + ": " + now);
                return false;
            }
            if (!commands.begin("cancel", addressee(), List.of()).isDoneWithin(COMMAND_MILLIS_MAX)) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        return true;
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
