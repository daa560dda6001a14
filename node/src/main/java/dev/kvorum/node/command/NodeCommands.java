package dev.kvorum.node.command;

import dev.kvorum.node.command.ChangeDriver.Direction;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeStep;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The commands of the node's jar, a method for each, and what {@code --help} says of them. Each returns its exit code. */
@Command(
        name = "kvorum-node",
        scope = ScopeType.INHERIT,
        usageHelpWidth = 110,
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = NodeVersion.class,
        description = {
            "Shows and changes the members of a running cluster.",
            "kvorum-node stands for: java -jar kvorum-node.jar",
            "Without a command, options begin with --kvorum and start a node."
        },
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Done; after start, resume and cancel the members are what was asked for.",
            "1:Refused or failed; the standard error says why.",
            "2:Wrong usage: nothing was asked or changed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  java -jar kvorum-node.jar status --node=http://127.0.0.1:8081",
            "  java -jar kvorum-node.jar help start"
        },
        subcommands = {HelpCommand.class, GenerateCompletion.class})
final class NodeCommands {
    static final int REFUSED = 1;

    private static final int DONE = 0;
    private static final Polling WATCHING = new Polling(Duration.ofSeconds(1));

    private final PrintStream out;
    private final PrintStream errors;
    private final Screen screen;
    private final Duration pause;

    /** @param pause between two questions to the nodes */
    NodeCommands(PrintStream out, PrintStream errors, Duration pause) {
        this.out = out;
        this.errors = errors;
        this.screen = new Screen(out);
        this.pause = pause;
    }

    /** What a command does with a cluster; returns its exit code. */
    private interface Work {
        int on(AnyNode cluster, ChangeDriver driver);
    }

    private int with(ClusterOptions options, Set<String> gone, Work work) {
        try (AnyNode cluster = new AnyNode(options.nodes())) {
            return work.on(cluster, new ChangeDriver(cluster, screen, gone, pause));
        }
    }

    @Command(
            name = "plan",
            description = "Says what a change of the members would move, or why it is refused. Changes nothing.",
            footer = "  java -jar kvorum-node.jar plan --node=http://10.0.0.1:8081 --remove=n2%n"
                    + "      --add=id=n4,api=http://10.0.0.4:8080,peer=http://10.0.0.4:9090,zone=a")
    int plan(@Mixin ClusterOptions cluster, @Mixin ChangeOptions change) {
        ChangeRequest request = change.request();
        return with(cluster, request.gone(), (any, driver) -> plan(driver, request, false));
    }

    @Command(
            name = "start",
            description = "Begins a change of the members and carries it out. All --add and --remove are one change.",
            footer = {
                "  java -jar kvorum-node.jar start --node=http://10.0.0.1:8081%n"
                        + "      --add=id=n4,api=http://10.0.0.4:8080,peer=http://10.0.0.4:9090,zone=a",
                "  java -jar kvorum-node.jar start --node=http://10.0.0.1:8081 --remove=n3 --gone=n3"
            })
    int start(@Mixin ClusterOptions cluster, @Mixin ChangeOptions change) {
        ChangeRequest request = change.request();
        return with(cluster, request.gone(), (any, driver) -> plan(driver, request, true));
    }

    private int plan(ChangeDriver driver, ChangeRequest request, boolean begins) {
        return switch (driver.plan(request)) {
            case ChangePlan.Refused refused -> {
                complain("Refused, nothing has changed: " + refused.reason() + ".");
                driver.silent().forEach((member, why) -> complain("  " + member + ": " + why));
                yield REFUSED;
            }
            case ChangePlan.Accepted accepted -> {
                screen.plan(accepted);
                yield begins ? begin(driver, accepted) : DONE;
            }
        };
    }

    private void complain(String line) {
        errors.println(Screen.escaped(line));
    }

    private int begin(ChangeDriver driver, ChangePlan.Accepted plan) {
        driver.begin(plan);
        return drive(driver, Direction.FORWARDS, plan.begin());
    }

    @Command(
            name = "resume",
            description = "Goes on with a change whose command was ended.",
            footer = "  java -jar kvorum-node.jar resume --node=http://10.0.0.1:8081 --node=http://10.0.0.2:8081")
    int resume(@Mixin ClusterOptions cluster, @Mixin GoneOptions gone) {
        return with(cluster, gone.members(), (any, driver) -> goOn(any, driver, Direction.FORWARDS, gone.members()));
    }

    @Command(
            name = "cancel",
            description = "Takes back a change that is not final: the former members own everything again.",
            footer = "  java -jar kvorum-node.jar cancel --node=http://10.0.0.1:8081")
    int cancel(@Mixin ClusterOptions cluster, @Mixin GoneOptions gone) {
        return with(cluster, gone.members(), (any, driver) -> goOn(any, driver, Direction.BACK, gone.members()));
    }

    /** Goes on with the change that runs, into either direction. */
    private int goOn(AnyNode cluster, ChangeDriver driver, Direction direction, Set<String> gone) {
        Topology present = cluster.observe(List.of(), List.of()).topology();
        if (!present.isChanging()) {
            complain("No change of the members is running.");
            return REFUSED;
        }
        Optional<String> stranger = ChangeStep.refusalOfGone(present, gone);
        if (stranger.isPresent()) {
            complain(stranger.get() + ".");
            return REFUSED;
        }
        return drive(driver, direction, present);
    }

    private int drive(ChangeDriver driver, Direction direction, Topology change) {
        Optional<String> failure = driver.drive(direction, change);
        if (failure.isPresent()) {
            complain(failure.get() + ".");
            return REFUSED;
        }
        driver.awaitDrops();
        return DONE;
    }

    @Command(
            name = "status",
            description = "Shows how far each member is.",
            footer = "  java -jar kvorum-node.jar status --node=http://10.0.0.1:8081 --watch")
    int status(
            @Mixin ClusterOptions cluster,
            @Option(names = "--watch", description = "Shows it each second until the command is ended.")
                    boolean watches) {
        return with(cluster, Set.of(), (any, driver) -> status(any, watches));
    }

    private int status(AnyNode cluster, boolean watches) {
        screen.status(cluster.observe(List.of(), List.of()));
        while (watches) { // Until the process is ended.
            WATCHING.awaitNextLook();
            screen.status(cluster.observe(List.of(), List.of()));
        }
        return DONE;
    }

    @Command(
            name = "record",
            description = "Notes which data directory each member has, so that a lost one is noticed.",
            footer = "  java -jar kvorum-node.jar record --node=http://10.0.0.1:8081")
    int record(@Mixin ClusterOptions cluster, @Mixin GoneOptions gone) {
        return with(cluster, gone.members(), (any, driver) -> record(driver));
    }

    private int record(ChangeDriver driver) {
        screen.say(driver.record() ? "The members' data directories are noted." : "They are noted already.");
        return DONE;
    }

    @Command(
            name = "lower-epoch",
            description = "Repairs the data directory of a stopped node that has kept too high an epoch.",
            footer = "  java -jar kvorum-node.jar lower-epoch --data-dir=/var/lib/kvorum --epoch=42")
    int lowerEpoch(
            @Option(
                            names = "--data-dir",
                            required = true,
                            paramLabel = "DIR",
                            description = "The node's data directory.")
                    Path directory,
            @Option(
                            names = "--epoch",
                            required = true,
                            paramLabel = "N",
                            converter = EpochConverter.class,
                            description = "The epoch that the node goes by when it starts again.")
                    long epoch) {
        new LowerEpoch(directory, epoch).run(out);
        return DONE;
    }

    @Command(
            name = "restamp",
            description = {
                "Lists the versions in the data directory of a stopped node that are too far ahead, as a clock was wrong.",
                "With --from and --to, moves them back. Stop all members, and do the same on each of them."
            },
            footer = {
                "  java -jar kvorum-node.jar restamp --data-dir=/var/lib/kvorum",
                "  java -jar kvorum-node.jar restamp --data-dir=/var/lib/kvorum%n"
                        + "      --from=2027-11-30T12:00:00Z --to=2026-11-30T12:14:22Z"
            })
    int restamp(
            @Option(
                            names = "--data-dir",
                            required = true,
                            paramLabel = "DIR",
                            description = "The node's data directory.")
                    Path directory,
            @Option(
                            names = "--from",
                            paramLabel = "TIME",
                            description = "Versions from that time on; unless given, 10 s from now on.")
                    @Nullable
                    Instant from,
            @Option(
                            names = "--to",
                            paramLabel = "TIME",
                            description =
                                    "Where a version of --from is moved to, and all others by as much. It must be behind"
                                            + " all other versions of all members.")
                    @Nullable
                    Instant to) {
        new RestampCommand(directory, from, to).run(out, Instant.now());
        return DONE;
    }
}
