package dev.kvorum.node.boot;

import dev.kvorum.node.command.Commands;
import java.security.Security;
import java.util.Set;

/**
 * Where the jar begins: a command, if the first word is no option or asks for help or the version, or else a node.
 *
 * <pre>
 * java -jar kvorum-node.jar --kvorum.node-id=n1 ...      starts a node
 * java -jar kvorum-node.jar status --node=URL            a command; none of the node is started for it
 * java -jar kvorum-node.jar --help                       which commands there are
 * </pre>
 */
public final class Launcher {
    private static final String NAMES_FRESH_SECONDS = "5";
    private static final Set<String> HELP = Set.of("-h", "--help", "-V", "--version");

    private Launcher() {}

    public static void main(String[] arguments) {
        // Read at the first lookup of a name, of a command or of a node that asks others before it serves. The JDK
        // would keep an answer for 30 s.
        Security.setProperty("networkaddress.cache.ttl", NAMES_FRESH_SECONDS);
        if (isCommand(arguments)) {
            System.exit(Commands.run(arguments, System.out, System.err));
        }
        KvorumNode.main(arguments);
    }

    /** Asked here, so that a node that starts loads no class of the commands. */
    private static boolean isCommand(String[] arguments) {
        return arguments.length > 0 && (!arguments[0].startsWith("-") || HELP.contains(arguments[0]));
    }
}
