package dev.kvorum.node.command;

import dev.kvorum.control.ControlException;
import dev.kvorum.topology.InvalidTopologyException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses and runs the commands of the node's jar, which are {@link NodeCommands}. A node that starts as a server loads none of this. */
public final class Commands {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private Commands() {}

    /**
     * Carries a command out. Blocks until it is done.
     *
     * @return the exit code: 0 done, 1 refused or failed, 2 wrong usage
     */
    public static int run(String[] arguments, PrintStream out, PrintStream errors) {
        return run(arguments, out, errors, PAUSE);
    }

    /** The same, with another pause between two questions. */
    static int run(String[] arguments, PrintStream out, PrintStream errors, Duration pause) {
        CommandLine commands = new CommandLine(new NodeCommands(out, errors, pause));
        IParameterExceptionHandler usual = commands.getParameterExceptionHandler();
        return commands.setOut(new PrintWriter(out, true, out.charset()))
                .setErr(new PrintWriter(errors, true, errors.charset()))
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((wrong, words) -> usual.handleParseException(cause(wrong), words))
                .setExecutionExceptionHandler(Commands::failed)
                .execute(arguments);
    }

    /** Where a required option is mistyped, it is missing too: then the typo is what helps. */
    private static ParameterException cause(ParameterException wrong) {
        List<String> unknown = wrong.getCommandLine().getUnmatchedArguments();
        return wrong instanceof MissingParameterException && !unknown.isEmpty()
                ? new UnmatchedArgumentException(wrong.getCommandLine(), unknown)
                : wrong;
    }

    /** Expected failures say why in a sentence; anything else is a bug and shows where. */
    private static int failed(Exception failure, CommandLine command, ParseResult parsed) throws Exception {
        if (failure instanceof ControlException
                || failure instanceof InvalidTopologyException
                || failure instanceof RefusedCommandException) {
            command.getErr().println(Screen.escaped(String.valueOf(failure.getMessage())));
            return NodeCommands.REFUSED;
        }
        throw failure;
    }
}
