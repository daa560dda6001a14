package dev.kvorum.node.command;

import dev.kvorum.control.ControlException;
import dev.kvorum.node.command.ChangeDriver.Direction;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The commands of the node's jar, besides starting a node:
 *
 * <pre>
 * plan    what a change of the members would move, or why it is refused
 * start   begins a change and carries it out
 * resume  goes on with a change that is running
 * cancel  takes a change back that is not final yet
 * status  how far all members are
 * record  notes in the topology which data directories the members have
 * lower-epoch  repairs the data directory of a stopped node ({@link LowerEpoch})
 * </pre>
 */
public final class Commands {
    private static final String USAGE = """
            Usage: java -jar kvorum-node.jar COMMAND --node=URL [OPTION]...

              plan    --add=id=ID,api=URL,peer=URL[,zone=ZONE][,weight=W] --remove=ID [--gone=ID]
                      what a change of the members would move, or why it is refused; changes nothing
              start   the same options: begins the change and carries it out
              resume  [--gone=ID]: goes on with a change that is running
              cancel  [--gone=ID]: takes back a change that is not final yet
              status  [--watch]: how far all members are
              record  notes which data directories the members have, so that a lost one is noticed

              lower-epoch --data-dir=DIR --epoch=N
                      repairs a stopped node that has kept too high an epoch; takes no --node

            --node is the management port of any member, as in --node=http://127.0.0.1:8081. Give several: a
            command asks the next one when one does not answer. --gone names a member whose process was ended for good.
            Without a command, options begin with "--" and start a node.""";
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int DONE = 0;
    private static final int REFUSED = 1;
    private static final int NOT_UNDERSTOOD = 2;
    private static final Polling WATCHING = new Polling(Duration.ofSeconds(1));

    private final PrintStream out;
    private final Screen screen;
    private final PrintStream errors;
    private final Duration pause;

    private Commands(PrintStream out, PrintStream errors, Duration pause) {
        this.out = out;
        this.screen = new Screen(out);
        this.errors = errors;
        this.pause = pause;
    }

    /** Whether what the jar was given is a command: its first word is no option. */
    public static boolean isGiven(String[] arguments) {
        return arguments.length > 0 && !arguments[0].startsWith("-");
    }

    /**
     * Carries a command out. Blocks until it is done.
     *
     * @return the exit code: 0 done, 1 refused or failed, 2 not understood
     */
    public static int run(String[] arguments, PrintStream out, PrintStream errors) {
        return run(arguments, out, errors, PAUSE);
    }

    /** The same, with another pause between two questions. */
    static int run(String[] arguments, PrintStream out, PrintStream errors, Duration pause) {
        return new Commands(out, errors, pause)
                .run(arguments[0], Arrays.asList(arguments).subList(1, arguments.length));
    }

    private int run(String name, List<String> options) {
        try {
            if (name.equals("lower-epoch")) {
                LowerEpoch.parse(options).run(out);
                return DONE;
            }
            if (!List.of("plan", "start", "resume", "cancel", "status", "record")
                    .contains(name)) {
                throw new InvalidCommandException("\"" + name + "\" is no command.\n\n" + USAGE);
            }
            CommandLine command = CommandLine.parse(name, options);
            try (AnyNode cluster = new AnyNode(command.nodes())) {
                return run(command, cluster);
            }
        } catch (InvalidCommandException e) {
            errors.println(e.getMessage());
            return NOT_UNDERSTOOD;
        } catch (ControlException | InvalidTopologyException e) {
            errors.println(e.getMessage());
            return REFUSED;
        }
    }

    private int run(CommandLine command, AnyNode cluster) {
        ChangeDriver driver =
                new ChangeDriver(cluster, screen, command.request().gone(), pause);
        return switch (command.name()) {
            case "plan" -> plan(command, driver, false);
            case "start" -> plan(command, driver, true);
            case "resume" -> goOn(cluster, driver, Direction.FORWARDS);
            case "cancel" -> goOn(cluster, driver, Direction.BACK);
            case "status" -> status(command, cluster);
            case "record" -> record(driver);
            default -> throw new IllegalStateException(command.name());
        };
    }

    private int plan(CommandLine command, ChangeDriver driver, boolean begins) {
        return switch (driver.plan(command.request())) {
            case ChangePlan.Refused refused -> {
                errors.println("Refused, nothing has changed: " + refused.reason() + ".");
                yield REFUSED;
            }
            case ChangePlan.Accepted accepted -> {
                screen.plan(accepted);
                yield begins ? start(driver, accepted) : DONE;
            }
        };
    }

    private int start(ChangeDriver driver, ChangePlan.Accepted plan) {
        driver.begin(plan);
        return drive(driver, Direction.FORWARDS, plan.begin());
    }

    /** Goes on with the change that runs, into either direction. */
    private int goOn(AnyNode cluster, ChangeDriver driver, Direction direction) {
        Topology present = cluster.observe(List.of(), List.of()).topology();
        if (!present.isChanging()) {
            errors.println("No change of the members is running.");
            return REFUSED;
        }
        return drive(driver, direction, present);
    }

    private int drive(ChangeDriver driver, Direction direction, Topology change) {
        Optional<String> failure = driver.drive(direction, change);
        if (failure.isPresent()) {
            errors.println(failure.get() + ".");
            return REFUSED;
        }
        driver.awaitDrops();
        return DONE;
    }

    private int status(CommandLine command, AnyNode cluster) {
        screen.status(cluster.observe(List.of(), List.of()));
        while (command.watching()) { // Until the process is ended.
            WATCHING.awaitNextLook();
            screen.status(cluster.observe(List.of(), List.of()));
        }
        return DONE;
    }

    private int record(ChangeDriver driver) {
        screen.say(driver.record() ? "The members' data directories are noted." : "They are noted already.");
        return DONE;
    }
}
